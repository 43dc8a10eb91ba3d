/* conformance: pthread_sigmask, sigprocmask, sigpending, pthread_kill */
#include "check.h"
#include <signal.h>

/* Each thread has its own mask, inherited from its creator; the call that unblocks a pending signal delivers it. */
static __thread volatile sig_atomic_t handled;

static void on_signal(UNUSED int number) { handled++; }

static void *body(void *p)
{
    sigset_t set, old, pending;
    CHECK_EQ(pthread_sigmask(SIG_SETMASK, NULL, &old), 0);
    CHECK(sigismember(&old, SIGUSR1)); /* inherited from main */
    CHECK(!sigismember(&old, SIGUSR2));
    CHECK_EQ(raise(SIGUSR1), 0);
    CHECK_EQ(raise(SIGUSR1), 0);
    CHECK_EQ(handled, 0);
    CHECK_EQ(sigpending(&pending), 0);
    CHECK(sigismember(&pending, SIGUSR1));
    sigemptyset(&set);
    sigaddset(&set, SIGUSR1);
    CHECK_EQ(pthread_sigmask(SIG_UNBLOCK, &set, &old), 0);
    CHECK_EQ(handled, 1); /* two signals of one number become one pending signal */
    CHECK_EQ(sigpending(&pending), 0);
    CHECK(!sigismember(&pending, SIGUSR1));
    CHECK_EQ(pthread_sigmask(99, &set, NULL), EINVAL);
    sigaddset(&set, SIGKILL);
    CHECK_EQ(pthread_sigmask(SIG_BLOCK, &set, NULL), 0);
    CHECK_EQ(pthread_sigmask(SIG_SETMASK, NULL, &old), 0);
    CHECK(sigismember(&old, SIGUSR1) && !sigismember(&old, SIGKILL)); /* SIGKILL cannot be blocked */
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
    CHECK(!sigismember(&pending, SIGUSR1)); /* the signals of other threads are not pending here */
    CHECK_EQ(handled, 0);
    return ok();
}
