/* conformance: pthread_sigmask, sigprocmask, sigpending, pthread_kill */
#include "check.h"
#include <signal.h>

/* Masks belong to threads and are inherited; a blocked signal waits, and comes out before the unblocking call returns. */
static __thread volatile sig_atomic_t handled;

static void on_signal(UNUSED int number) { handled++; }

static void *body(void *p)
{
    sigset_t set, old, pending;
    CHECK_EQ(pthread_sigmask(SIG_SETMASK, NULL, &old), 0);
    CHECK(sigismember(&old, SIGUSR1)); /* from main */
    CHECK(!sigismember(&old, SIGUSR2));
    CHECK_EQ(raise(SIGUSR1), 0);
    CHECK_EQ(raise(SIGUSR1), 0);
    CHECK_EQ(handled, 0);
    CHECK_EQ(sigpending(&pending), 0);
    CHECK(sigismember(&pending, SIGUSR1));
    sigemptyset(&set);
    sigaddset(&set, SIGUSR1);
    CHECK_EQ(pthread_sigmask(SIG_UNBLOCK, &set, &old), 0);
    CHECK_EQ(handled, 1); /* the same signal twice is pending once */
    CHECK_EQ(sigpending(&pending), 0);
    CHECK(!sigismember(&pending, SIGUSR1));
    CHECK_EQ(pthread_sigmask(99, &set, NULL), EINVAL);
    sigaddset(&set, SIGKILL);
    CHECK_EQ(pthread_sigmask(SIG_BLOCK, &set, NULL), 0);
    CHECK_EQ(pthread_sigmask(SIG_SETMASK, NULL, &old), 0);
    CHECK(sigismember(&old, SIGUSR1) && !sigismember(&old, SIGKILL)); /* that one cannot be blocked */
    return p;
}

int main(void)
{
    sigset_t set, pending;
    CHECK(signal(SIGUSR1, on_signal) != SIG_ERR);
    sigemptyset(&set);
    sigaddset(&set, SIGUSR1);
    CHECK_EQ(sigprocmask(SIG_BLOCK, &set, NULL), 0);
    pthread_t a = start(body, NULL), b = start(body, NULL);
    join(a);
    join(b);
    CHECK_EQ(sigpending(&pending), 0);
    CHECK(!sigismember(&pending, SIGUSR1)); /* theirs were theirs */
    CHECK_EQ(handled, 0);
    return ok();
}
