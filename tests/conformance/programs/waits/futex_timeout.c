/* conformance: syscall */
#include "check.h"
#include <linux/futex.h>
#include <sys/syscall.h>

static int word = 5;

/* FUTEX_WAIT takes a relative time; FUTEX_WAIT_BITSET an absolute one, on the monotonic clock by default. */
static void *body(void *p)
{
    struct timespec ten = {0, 10000000}, at = in_ms(CLOCK_MONOTONIC, 10), real = in_ms(CLOCK_REALTIME, 10);
    long long before = now(CLOCK_MONOTONIC);
    CHECK_ERRNO(syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, 5, &ten, NULL, 0), ETIMEDOUT);
    CHECK(now(CLOCK_MONOTONIC) - before >= 10000000);
    CHECK_ERRNO(syscall(SYS_futex, &word, FUTEX_WAIT_BITSET_PRIVATE, 5, &at, NULL, FUTEX_BITSET_MATCH_ANY), ETIMEDOUT);
    CHECK(now(CLOCK_MONOTONIC) >= nanoseconds(at));
    CHECK_ERRNO(syscall(SYS_futex, &word, FUTEX_WAIT_BITSET_PRIVATE | FUTEX_CLOCK_REALTIME, 5, &real, NULL, FUTEX_BITSET_MATCH_ANY), ETIMEDOUT);
    return p;
}

int main(void)
{
    join(start(body, NULL));
    return ok();
}
