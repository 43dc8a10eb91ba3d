#include "../two.h"
static int given, result;
static void* last(void* unused) {
    result = given + 1;
    return unused;
}
static void* first(void* unused) {
    pthread_t child;
    given++;
    pthread_create(&child, 0, last, 0);
    pthread_join(child, 0);
    result++;
    return unused;
}
int main(void) {
    pthread_t thread;
    given = 1;
    pthread_create(&thread, 0, first, 0);
    pthread_join(thread, 0);
    return result == 4 ? 0 : 1;
}
