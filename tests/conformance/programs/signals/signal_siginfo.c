/* conformance: sigaction, pthread_kill, pthread_sigqueue, sigqueue */
#include "check.h"
#include <signal.h>

/* The handler receives the number, the sender and the value; its mask is in force while it runs. */
static volatile sig_atomic_t handled;
static volatile int expected_code, expected_value;

static void on_signal(int number, siginfo_t *info, void *context)
{
    sigset_t mask;
    CHECK_EQ(number, SIGUSR1);
    CHECK_EQ(info->si_signo, SIGUSR1);
    CHECK_EQ(info->si_code, expected_code);
    CHECK_EQ(info->si_pid, getpid());
    if (expected_code == SI_QUEUE)
        CHECK_EQ(info->si_value.sival_int, expected_value);
    CHECK(context);
    CHECK_EQ(pthread_sigmask(SIG_SETMASK, NULL, &mask), 0);
    CHECK(sigismember(&mask, SIGUSR1) && sigismember(&mask, SIGUSR2));
    handled++;
}

static void *body(void *p)
{
    expected_code = SI_TKILL;
    CHECK_EQ(pthread_kill(pthread_self(), SIGUSR1), 0);
    CHECK_EQ(handled, 1);
    expected_code = SI_QUEUE;
    expected_value = 42;
    CHECK_EQ(pthread_sigqueue(pthread_self(), SIGUSR1, (union sigval){.sival_int = 42}), 0);
    CHECK_EQ(handled, 2);
    return p;
}

int main(void)
{
    struct sigaction act = {.sa_sigaction = on_signal, .sa_flags = SA_SIGINFO};
    sigemptyset(&act.sa_mask);
    sigaddset(&act.sa_mask, SIGUSR2);
    CHECK_EQ(sigaction(SIGUSR1, &act, NULL), 0);
    join(start(body, NULL));
    expected_value = 43;
    CHECK_EQ(sigqueue(getpid(), SIGUSR1, (union sigval){.sival_int = 43}), 0); /* delivered before the call returns */
    CHECK_EQ(handled, 3);
    return ok();
}
