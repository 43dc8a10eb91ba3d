/* conformance: alarm, sigsuspend, pause, sigaction */
#include "check.h"
#include <signal.h>

static volatile sig_atomic_t alarms;
static void on_alarm(UNUSED int number) { alarms++; }

int main(void)
{
    struct sigaction act = {.sa_handler = on_alarm};
    sigset_t alarm_only, before;
    sigemptyset(&alarm_only);
    sigaddset(&alarm_only, SIGALRM);
    CHECK_EQ(sigaction(SIGALRM, &act, NULL), 0);
    CHECK_EQ(pthread_sigmask(SIG_BLOCK, &alarm_only, &before), 0);
    CHECK_EQ(alarm(1), 0);
    long long start_time = now(CLOCK_MONOTONIC);
    CHECK_ERRNO(sigsuspend(&before), EINTR);
    CHECK_EQ(alarms, 1);
    CHECK(now(CLOCK_MONOTONIC) - start_time >= 900000000);
    CHECK_EQ(alarm(100), 0);
    CHECK(alarm(0) <= 100);
    return ok();
}
