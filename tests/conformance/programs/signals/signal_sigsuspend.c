/* conformance: sigsuspend, pthread_kill */
#include "check.h"
#include <signal.h>

/* The signal is blocked except during sigsuspend, so it cannot be missed. */
static __thread volatile sig_atomic_t handled;

static void on_signal(UNUSED int number) { handled = 1; }

static void *body(void *p)
{
    sigset_t open, mine;
    sigemptyset(&open);
    CHECK_EQ(handled, 0);
    CHECK_ERRNO(sigsuspend(&open), EINTR);
    CHECK_EQ(handled, 1);
    CHECK_EQ(pthread_sigmask(SIG_SETMASK, NULL, &mine), 0);
    CHECK(sigismember(&mine, SIGUSR1)); /* the old mask is restored */
    return p;
}

int main(void)
{
    sigset_t usr1;
    struct sigaction act = {.sa_handler = on_signal};
    CHECK_EQ(sigaction(SIGUSR1, &act, NULL), 0);
    sigemptyset(&usr1);
    sigaddset(&usr1, SIGUSR1);
    CHECK_EQ(pthread_sigmask(SIG_BLOCK, &usr1, NULL), 0);
    pthread_t t = start(body, NULL);
    CHECK_EQ(pthread_kill(t, SIGUSR1), 0);
    join(t);
    CHECK_EQ(handled, 0);
    return ok();
}
