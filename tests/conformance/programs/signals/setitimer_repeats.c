/* conformance: setitimer, getitimer, sigwait */
#include "check.h"
#include <signal.h>
#include <sys/time.h>

int main(void)
{
    struct itimerval every = {{0, 10000}, {0, 10000}}, off = {{0, 0}, {0, 0}}, left;
    sigset_t set;
    int number;
    sigemptyset(&set);
    sigaddset(&set, SIGALRM);
    CHECK_EQ(pthread_sigmask(SIG_BLOCK, &set, NULL), 0);
    CHECK_EQ(setitimer(ITIMER_REAL, &every, NULL), 0);
    long long before = now(CLOCK_MONOTONIC);
    for (int i = 0; i < 3; i++) {
        CHECK_EQ(sigwait(&set, &number), 0);
        CHECK_EQ(number, SIGALRM);
    }
    CHECK(now(CLOCK_MONOTONIC) - before >= 25000000);
    CHECK_EQ(getitimer(ITIMER_REAL, &left), 0);
    CHECK_EQ(left.it_interval.tv_usec, 10000);
    CHECK_EQ(setitimer(ITIMER_REAL, &off, NULL), 0);
    CHECK_EQ(getitimer(ITIMER_REAL, &left), 0);
    CHECK_EQ(left.it_value.tv_sec + left.it_value.tv_usec, 0);
    return ok();
}
