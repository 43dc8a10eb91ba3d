/* conformance: sleep, usleep, nanosleep, clock_nanosleep, pthread_cancel */
#include "check.h"
#include "cancel.h"

static const struct timespec tick = {0, 1000000};
static void in_sleep(void) { sleep(1); }
static void in_usleep(void) { usleep(1000); }
static void in_nanosleep(void) { nanosleep(&tick, NULL); }
static void in_clock_nanosleep(void) { clock_nanosleep(CLOCK_MONOTONIC, 0, &tick, NULL); }
static void in_absolute(void)
{
    struct timespec at = in_ms(CLOCK_REALTIME, 1);
    clock_nanosleep(CLOCK_REALTIME, TIMER_ABSTIME, &at, NULL);
}

int main(void)
{
    CHECK(cancelled_in(in_sleep));
    CHECK(cancelled_in(in_usleep));
    CHECK(cancelled_in(in_nanosleep));
    CHECK(cancelled_in(in_clock_nanosleep));
    CHECK(cancelled_in(in_absolute));
    return ok();
}
