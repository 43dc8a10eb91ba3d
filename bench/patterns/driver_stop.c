/* bug: a request of a driver tests "stopping" before it counts itself as pending, so the driver stops under it; preemptions: 1 */
// driver_stop [REQUESTS]: 3 threads with a request each, and one that stops the driver.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <semaphore.h>
#include <stdlib.h>

static atomic_int stopping, stopped;
static atomic_int pending = 1;  // the driver itself counts as one
static sem_t all_done;

static void finish_one(void) {
    if (atomic_fetch_sub(&pending, 1) == 1) sem_post(&all_done);
}

static void* request(void* unused) {
    (void)unused;
    if (atomic_load(&stopping)) return NULL;
    atomic_fetch_add(&pending, 1);
    assert(!atomic_load(&stopped));
    finish_one();
    return NULL;
}

static void* stop(void* unused) {
    (void)unused;
    atomic_store(&stopping, 1);
    finish_one();
    sem_wait(&all_done);
    atomic_store(&stopped, 1);
    return NULL;
}

int main(int count, char** arguments) {
    const int requests = count > 1 ? atoi(arguments[1]) : 3;
    pthread_t* thread = calloc(requests + 1, sizeof *thread);
    sem_init(&all_done, 0, 0);
    for (int i = 0; i < requests; ++i) pthread_create(&thread[i], NULL, request, NULL);
    pthread_create(&thread[requests], NULL, stop, NULL);
    for (int i = 0; i <= requests; ++i) pthread_join(thread[i], NULL);
    free(thread);
    return 0;
}
