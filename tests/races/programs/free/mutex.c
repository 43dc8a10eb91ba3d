#include "../two.h"
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int counter;
static void* count(void* unused) {
    pthread_mutex_lock(&lock);
    counter++;
    pthread_mutex_unlock(&lock);
    return unused;
}
int main(void) {
    run(count, count, 0);
    return counter == 2 ? 0 : 1;
}
