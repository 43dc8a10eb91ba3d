/* conformance: sigtimedwait, sigwaitinfo, pthread_sigqueue */
#include "check.h"
#include <signal.h>

static sigset_t usr1;

static void *body(void *p)
{
    struct timespec ten = {0, 10000000}, zero = {0, 0};
    siginfo_t info;
    long long before = now(CLOCK_MONOTONIC);
    CHECK_ERRNO(sigtimedwait(&usr1, &info, &ten), EAGAIN);
    CHECK(now(CLOCK_MONOTONIC) - before >= 10000000);
    CHECK_ERRNO(sigtimedwait(&usr1, NULL, &zero), EAGAIN);
    CHECK_EQ(raise(SIGUSR1), 0);
    CHECK_EQ(sigtimedwait(&usr1, &info, &zero), SIGUSR1);
    CHECK_EQ(info.si_signo, SIGUSR1);
    return p;
}

static void *waiter(void *p)
{
    siginfo_t info;
    CHECK_EQ(sigwaitinfo(&usr1, &info), SIGUSR1);
    CHECK_EQ(info.si_value.sival_int, 42);
    return p;
}

int main(void)
{
    sigemptyset(&usr1);
    sigaddset(&usr1, SIGUSR1);
    CHECK_EQ(pthread_sigmask(SIG_BLOCK, &usr1, NULL), 0);
    join(start(body, NULL));
    pthread_t t = start(waiter, NULL);
    CHECK_EQ(pthread_sigqueue(t, SIGUSR1, (union sigval){.sival_int = 42}), 0);
    join(t);
    return ok();
}
