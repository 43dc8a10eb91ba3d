/* conformance: pthread_kill, sem_wait, sem_post, sigaction */
#include "check.h"
#include <semaphore.h>
#include <signal.h>

/* The handler runs in the target thread only. */
static sem_t handled;
static volatile pthread_t target;
static volatile int in_target;

static void on_signal(UNUSED int number)
{
    in_target = pthread_equal(pthread_self(), target);
    sem_post(&handled);
}

static void *body(void *p)
{
    while (sem_wait(&handled) != 0)
        CHECK_EQ(errno, EINTR);
    CHECK_EQ(in_target, 1);
    return p;
}

int main(void)
{
    struct sigaction act = {.sa_handler = on_signal};
    CHECK_EQ(sigaction(SIGUSR1, &act, NULL), 0);
    sem_init(&handled, 0, 0);
    target = start(body, NULL);
    CHECK_EQ(pthread_kill(target, 0), 0); /* still alive: the thread waits for the signal */
    CHECK_EQ(pthread_kill(target, 9999), EINVAL);
    CHECK_EQ(pthread_kill(target, SIGUSR1), 0);
    join(target);
    return ok();
}
