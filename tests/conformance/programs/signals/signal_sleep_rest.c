/* conformance: nanosleep, clock_nanosleep, pthread_kill */
#include "signal_interrupts.h"

/* An interrupted relative sleep returns the remaining time; an absolute sleep only returns EINTR. */
static void *sleeper(UNUSED void *p)
{
    const struct timespec span = {.tv_nsec = 100000000}, later = in_ms(CLOCK_MONOTONIC, 200);
    struct timespec rest = {.tv_sec = -1};
    if (nanosleep(&span, &rest) != 0) {
        CHECK_EQ(errno, EINTR);
        CHECK_EQ(handled, 1);
        CHECK(nanoseconds(rest) > 0);
        CHECK(nanoseconds(rest) < nanoseconds(span) + 10000000); /* timers have slack */
    }
    const int error = clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &later, NULL);
    CHECK(error == 0 || error == EINTR);
    return NULL;
}

int main(void)
{
    handle_signals(SA_RESTART);
    pthread_t t = start(sleeper, NULL);
    CHECK_EQ(pthread_kill(t, SIGUSR1), 0);
    join(t);
    return ok();
}
