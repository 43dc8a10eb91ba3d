/* conformance: futex calls by an inline instruction, as in libgomp; all other registers keep their values */
#include "check.h"
#include <linux/futex.h>
#include <sys/syscall.h>

static int word, entered;

static long futex(int *at, int operation, int value)
{
    long result;
    register long r10 __asm__("r10") = 0;
    double before = value * 1.5, after = before;
    __asm__ volatile("syscall" : "=a"(result), "+x"(after) : "a"(SYS_futex), "D"(at), "S"(operation), "d"(value), "r"(r10) : "rcx", "r11", "memory");
    CHECK(after == before);
    return result;
}

static void *waiter(void *p)
{
    __atomic_fetch_add(&entered, 1, __ATOMIC_SEQ_CST);
    while (__atomic_load_n(&word, __ATOMIC_SEQ_CST) == 0) {
        long result = futex(&word, FUTEX_WAIT_PRIVATE, 0);
        CHECK(result == 0 || result == -EAGAIN || result == -EINTR);
    }
    return p;
}

int main(void)
{
    errno = 77;
    pthread_t a = start(waiter, NULL), b = start(waiter, NULL);
    CHECK_EQ(futex(&word, FUTEX_WAIT_PRIVATE, 1), -EAGAIN);
    __atomic_store_n(&word, 1, __ATOMIC_SEQ_CST);
    long woken = futex(&word, FUTEX_WAKE_PRIVATE, 2);
    CHECK(woken >= 0 && woken <= 2);
    join(a);
    join(b);
    CHECK_EQ(entered, 2);
    CHECK_EQ(errno, 77);
    return ok();
}
