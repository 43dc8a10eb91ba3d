/* conformance: pthread_atfork, fork, pthread_mutex_lock */
#include "check.h"
#include <sys/wait.h>

/* The usual technique: the handlers hold the lock across the fork, so the child finds it free and its data consistent. */
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int a, b;

static void lock(void) { pthread_mutex_lock(&m); }
static void unlock(void) { pthread_mutex_unlock(&m); }

static void *worker(void *p)
{
    pthread_mutex_lock(&m);
    a++;
    b++;
    pthread_mutex_unlock(&m);
    return p;
}

int main(void)
{
    int status = 0;
    CHECK_EQ(pthread_atfork(lock, unlock, unlock), 0);
    pthread_t t = start(worker, NULL);
    pid_t child = fork();
    CHECK(child >= 0);
    if (child == 0) {
        CHECK_EQ(pthread_mutex_trylock(&m), 0);
        _exit(a == b ? 0 : 1);
    }
    CHECK_EQ(waitpid(child, &status, 0), child);
    CHECK_EQ(status, 0);
    join(t);
    CHECK_EQ(a, 1);
    return ok();
}
