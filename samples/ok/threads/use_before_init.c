/* ok: main initialises the data of the thread before it starts the thread */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

struct config {
    int verbose;
};

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static struct config* config;

static void* work(void* unused) {
    (void)unused;
    for (volatile int i = 0; i < 1000000; ++i) continue; /* some work first */
    pthread_mutex_lock(&m);
    if (config->verbose) puts("working");
    pthread_mutex_unlock(&m);
    return NULL;
}

int main(void) {
    pthread_t worker;
    pthread_mutex_lock(&m);
    config = malloc(sizeof *config);
    config->verbose = 0;
    pthread_mutex_unlock(&m);
    pthread_create(&worker, NULL, work, NULL);
    pthread_join(worker, NULL);
    free(config);
    return 0;
}
