/* conformance: sigwait, pthread_kill, kill */
#include "check.h"
#include <signal.h>

static sigset_t both;

static void *waiter(void *p)
{
    int number = 0;
    CHECK_EQ(sigwait(&both, &number), 0);
    *(int *)p = number;
    return p;
}

int main(void)
{
    int a_got = 0, b_got = 0;
    sigemptyset(&both);
    sigaddset(&both, SIGUSR1);
    sigaddset(&both, SIGUSR2);
    CHECK_EQ(pthread_sigmask(SIG_BLOCK, &both, NULL), 0);
    pthread_t a = start(waiter, &a_got);
    CHECK_EQ(pthread_kill(a, SIGUSR1), 0); /* to this thread */
    join(a);
    CHECK_EQ(a_got, SIGUSR1);
    a = start(waiter, &a_got);
    pthread_t b = start(waiter, &b_got);
    CHECK_EQ(kill(getpid(), SIGUSR1), 0); /* to the process: either thread may take it */
    CHECK_EQ(kill(getpid(), SIGUSR2), 0);
    join(a);
    join(b);
    CHECK_EQ(a_got + b_got, SIGUSR1 + SIGUSR2);
    CHECK(a_got != b_got);
    return ok();
}
