/* bug: the size of an array on the stack and the index into it come from two readings of a counter; preemptions: 1 */
#include <alloca.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
// build: -fsanitize=address
static atomic_int workers = 2;

static void* count(void* unused) {
    (void)unused;
    char* rows = alloca((size_t)workers);
    for (int i = 0; i < workers; ++i) rows[i] = 'x';
    printf("%c\n", rows[0]);
    return 0;
}

static void* join_in(void* unused) {
    (void)unused;
    ++workers;
    return 0;
}

int main(void) {
    pthread_t threads[2];
    pthread_create(&threads[0], 0, count, 0);
    pthread_create(&threads[1], 0, join_in, 0);
    for (int i = 0; i < 2; ++i) pthread_join(threads[i], 0);
    return 0;
}
