/* conformance: syscall */
#include "check.h"
#include <limits.h>
#include <linux/futex.h>
#include <stdatomic.h>
#include <sys/syscall.h>

/* Waiters that were moved from one word to another are woken there. */
static atomic_int from, to;

static void *waiter(void *p)
{
    while (!atomic_load(&from))
        if (syscall(SYS_futex, &from, FUTEX_WAIT_PRIVATE, 0, NULL, NULL, 0) < 0)
            CHECK(errno == EAGAIN || errno == EINTR);
    return p;
}

int main(void)
{
    CHECK_ERRNO(syscall(SYS_futex, &from, FUTEX_CMP_REQUEUE_PRIVATE, 0, (void *)(long)INT_MAX, &to, 1), EAGAIN); /* the word holds 0, not 1 */
    pthread_t a = start(waiter, NULL), b = start(waiter, NULL);
    atomic_store(&from, 1);
    long moved = syscall(SYS_futex, &from, FUTEX_CMP_REQUEUE_PRIVATE, 1, (void *)(long)INT_MAX, &to, 1);
    CHECK(moved >= 0 && moved <= 2);
    long woken = syscall(SYS_futex, &to, FUTEX_WAKE_PRIVATE, INT_MAX, NULL, NULL, 0);
    CHECK(woken >= 0 && woken <= moved);
    join(a);
    join(b);
    return ok();
}
