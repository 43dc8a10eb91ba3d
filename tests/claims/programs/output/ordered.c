// Threads write under a lock, and main after it joined them: the schedule of calls decides the order of all output.
// expect: ok without "the order in which"
// expect --fail-on stdout-differs: output
// expect --outcomes: outcomes "ok: abm" "ok: bam"
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void* says(void* letter) {
    pthread_mutex_lock(&lock);
    printf("%s", (const char*)letter);
    pthread_mutex_unlock(&lock);
    return 0;
}

int main(void) {
    pthread_t threads[2];
    pthread_create(&threads[0], 0, says, "a");
    pthread_create(&threads[1], 0, says, "b");
    for (int i = 0; i < 2; ++i) pthread_join(threads[i], 0);
    printf("m");
    return 0;
}
