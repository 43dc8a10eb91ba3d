/* ok: every worker waits at the barrier, with or without a job */
#include <pthread.h>
#include <unistd.h>

enum { workers = 2 };

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_barrier_t all_done;
static int jobs = 2;

static int take_job(void) {
    pthread_mutex_lock(&m);
    const int got = jobs > 0;
    if (got) --jobs;
    pthread_mutex_unlock(&m);
    return got;
}

static void* work(void* unused) {
    (void)unused;
    while (take_job()) usleep(2000);
    pthread_barrier_wait(&all_done);
    return NULL;
}

int main(void) {
    pthread_t worker[workers];
    pthread_barrier_init(&all_done, NULL, workers);
    for (int i = 0; i < workers; ++i) pthread_create(&worker[i], NULL, work, NULL);
    for (int i = 0; i < workers; ++i) pthread_join(worker[i], NULL);
    pthread_barrier_destroy(&all_done);
    return 0;
}
