/* bug: the waiter treats a wait that timed out as a success; preemptions: 1 */
#include <assert.h>
#include <pthread.h>
#include <time.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t answered = PTHREAD_COND_INITIALIZER;
static int is_answered;

static void* answer(void* unused) {
    (void)unused;
    pthread_mutex_lock(&m);
    is_answered = 1;
    pthread_cond_signal(&answered);
    pthread_mutex_unlock(&m);
    return NULL;
}

static void* ask(void* unused) {
    (void)unused;
    struct timespec deadline;
    clock_gettime(CLOCK_REALTIME, &deadline);
    deadline.tv_sec += 5;
    pthread_mutex_lock(&m);
    int error = 0;
    while (!is_answered && error == 0) error = pthread_cond_timedwait(&answered, &m, &deadline);
    assert(is_answered);
    pthread_mutex_unlock(&m);
    return NULL;
}

int main(void) {
    pthread_t client, server;
    pthread_create(&client, NULL, ask, NULL);
    pthread_create(&server, NULL, answer, NULL);
    pthread_join(client, NULL);
    pthread_join(server, NULL);
    return 0;
}
// run: --patience none
