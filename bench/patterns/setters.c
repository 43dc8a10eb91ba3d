/* bug: setters write a, then b, and a checker may read both in between; preemptions: 1 */
// setters [N]: N setters (3) and one checker. Every order of N equal setters comes before the one preemption that matters.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static int a, b;

static void* set(void* unused) {
    (void)unused;
    a = 1;
    b = -1;
    return NULL;
}

static void* check(void* unused) {
    (void)unused;
    const int seen_a = a, seen_b = b;
    assert((seen_a == 0 && seen_b == 0) || (seen_a == 1 && seen_b == -1));
    return NULL;
}

int main(int count, char** arguments) {
    const int setters = count > 1 ? atoi(arguments[1]) : 3;
    pthread_t* thread = calloc(setters + 1, sizeof *thread);
    for (int i = 0; i < setters; ++i) pthread_create(&thread[i], NULL, set, NULL);
    pthread_create(&thread[setters], NULL, check, NULL);
    for (int i = 0; i <= setters; ++i) pthread_join(thread[i], NULL);
    free(thread);
    return 0;
}
