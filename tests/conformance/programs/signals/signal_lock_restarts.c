/* conformance: pthread_kill, pthread_mutex_lock, pthread_cond_wait, pthread_join */
#include "check.h"
#include <semaphore.h>
#include <signal.h>

/* A handler never makes a waiting lock, condition wait or join return EINTR. */
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static sem_t handled;
static int go;

static void on_signal(UNUSED int number) { sem_post(&handled); }

static void *body(void *p)
{
    CHECK_EQ(pthread_mutex_lock(&m), 0);
    while (!go)
        CHECK_EQ(pthread_cond_wait(&c, &m), 0);
    CHECK_EQ(pthread_mutex_unlock(&m), 0);
    while (sem_wait(&handled) != 0)
        CHECK_EQ(errno, EINTR);
    return p;
}

int main(void)
{
    struct sigaction act = {.sa_handler = on_signal};
    CHECK_EQ(sigaction(SIGUSR1, &act, NULL), 0);
    sem_init(&handled, 0, 0);
    pthread_mutex_lock(&m);
    pthread_t t = start(body, NULL);
    CHECK_EQ(pthread_kill(t, SIGUSR1), 0); /* before or during the wait for the lock */
    go = 1;
    pthread_cond_signal(&c);
    pthread_mutex_unlock(&m);
    join(t);
    return ok();
}
