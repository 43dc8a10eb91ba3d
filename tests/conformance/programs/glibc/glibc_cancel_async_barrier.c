/* conformance: pthread_setcanceltype, pthread_cancel */
/* raddle: gap: asynchronous cancellation of a thread that waits in a barrier */
#include "check.h"
#include <semaphore.h>

/* Asynchronous cancellation ends a thread even inside a wait that is not a cancellation point.
   POSIX leaves this undefined (pthread_barrier_wait is not async-cancel-safe), but glibc does it. */
static pthread_barrier_t never;
static sem_t ready;
static int passed;

static void *body(void *p)
{
    pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, NULL);
    sem_post(&ready);
    pthread_barrier_wait(&never);
    passed = 1;
    return p;
}

int main(void)
{
    sem_init(&ready, 0, 0);
    pthread_barrier_init(&never, NULL, 2);
    pthread_t t = start(body, &passed);
    sem_wait(&ready);
    CHECK_EQ(pthread_cancel(t), 0);
    CHECK(join(t) == PTHREAD_CANCELED);
    CHECK_EQ(passed, 0);
    return ok();
}
