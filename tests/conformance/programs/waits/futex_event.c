/* conformance: syscall */
#include "check.h"
#include <limits.h>
#include <linux/futex.h>
#include <stdatomic.h>
#include <sys/syscall.h>

/* Two threads wait for one event, and one call wakes both. */
static atomic_int happened;

static void *waiter(void *p)
{
    while (!atomic_load(&happened))
        if (syscall(SYS_futex, &happened, FUTEX_WAIT, 0, NULL, NULL, 0) < 0)
            CHECK(errno == EAGAIN || errno == EINTR);
    return p;
}

int main(void)
{
    pthread_t a = start(waiter, NULL), b = start(waiter, NULL);
    atomic_store(&happened, 1);
    long woken = syscall(SYS_futex, &happened, FUTEX_WAKE, INT_MAX, NULL, NULL, 0);
    CHECK(woken >= 0 && woken <= 2);
    join(a);
    join(b);
    CHECK_EQ(syscall(SYS_futex, &happened, FUTEX_WAKE, INT_MAX, NULL, NULL, 0), 0); /* no waiter is left */
    return ok();
}
