/* conformance: syscall */
#include "check.h"
#include <linux/futex.h>
#include <stdatomic.h>
#include <sys/syscall.h>

/* Each waiter waits for its own bit of the mask. */
static atomic_int open_to[2];

static void *waiter(void *p)
{
    int bit = *(int *)p;
    while (!atomic_load(&open_to[bit]))
        if (syscall(SYS_futex, &open_to[bit], FUTEX_WAIT_BITSET_PRIVATE, 0, NULL, NULL, 1u << bit) < 0)
            CHECK(errno == EAGAIN || errno == EINTR);
    return p;
}

int main(void)
{
    int zero = 0, one = 1;
    pthread_t a = start(waiter, &zero), b = start(waiter, &one);
    CHECK_EQ(syscall(SYS_futex, &open_to[0], FUTEX_WAKE_BITSET_PRIVATE, 1, NULL, NULL, 2u), 0); /* nobody waits there with this bit */
    for (int bit = 0; bit < 2; bit++) {
        atomic_store(&open_to[bit], 1);
        long woken = syscall(SYS_futex, &open_to[bit], FUTEX_WAKE_BITSET_PRIVATE, 1, NULL, NULL, 1u << bit);
        CHECK(woken == 0 || woken == 1);
    }
    join(a);
    join(b);
    return ok();
}
