#include "../two.h"
int result;
static void* compute(void* unused) {
    result = 42;  // race
    return unused;
}
int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, compute, 0);
    const int seen = result;  // race
    pthread_join(thread, 0);
    return seen > 42;
}
