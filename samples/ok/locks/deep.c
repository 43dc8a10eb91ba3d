/* ok: all steps are one critical section, so a reader never sees a single step */
/* deep [n = 2]: n reads before or after n + 1 steps. */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int steps;
static int n = 2;

static void* step(void* unused) {
    (void)unused;
    pthread_mutex_lock(&m);
    for (int i = 0; i <= n; ++i) ++steps;
    pthread_mutex_unlock(&m);
    return NULL;
}

static void* look(void* unused) {
    (void)unused;
    int in_step = 0;
    for (int i = 1; i <= n; ++i) {
        pthread_mutex_lock(&m);
        if (steps == i) ++in_step;
        pthread_mutex_unlock(&m);
    }
    assert(in_step < n);
    return NULL;
}

int main(int argc, char** argv) {
    pthread_t stepper, reader;
    if (argc > 1) n = atoi(argv[1]);
    pthread_create(&stepper, NULL, step, NULL);
    pthread_create(&reader, NULL, look, NULL);
    pthread_join(stepper, NULL);
    pthread_join(reader, NULL);
    return 0;
}
