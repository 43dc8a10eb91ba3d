/* conformance: pthread_cond_wait, pthread_mutex_consistent */
#include "check.h"

/* The owner of a robust mutex dies while main waits on a condition: the wait, or the lock before it, returns EOWNERDEAD. */
static pthread_mutex_t m;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int go;

static void *signal_and_die(void *p)
{
    int r = pthread_mutex_lock(&m);
    CHECK_EQ(r, 0);
    go = 1;
    pthread_cond_signal(&c);
    return p;
}

int main(void)
{
    pthread_mutexattr_t attr;
    pthread_mutexattr_init(&attr);
    pthread_mutexattr_setrobust(&attr, PTHREAD_MUTEX_ROBUST);
    CHECK_EQ(pthread_mutex_init(&m, &attr), 0);
    CHECK_EQ(pthread_mutex_lock(&m), 0);
    pthread_t t = start(signal_and_die, NULL);
    int r = 0;
    while (!go && r == 0)
        r = pthread_cond_wait(&c, &m);
    CHECK_EQ(r, EOWNERDEAD);
    CHECK_EQ(go, 1);
    CHECK_EQ(pthread_mutex_consistent(&m), 0);
    CHECK_EQ(pthread_mutex_unlock(&m), 0);
    join(t);
    return ok();
}
