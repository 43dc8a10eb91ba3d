/* bug: the barrier expects every worker, but a worker that gets no job leaves without waiting; preemptions: 1 */
/* The first worker finishes its job and takes the second one before the other worker has begun. */
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
    int done = 0;
    for (; take_job(); ++done) usleep(2000);
    if (done == 0) return NULL;
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
