/* conformance: syscall */
#include "check.h"
#include <linux/futex.h>
#include <stdatomic.h>
#include <sys/syscall.h>

/* A hand-written lock: 0 free, 1 locked, 2 locked and perhaps contended. */
static atomic_int word;
static int count;

static void lock(void)
{
    int free = 0;
    if (atomic_compare_exchange_strong(&word, &free, 1))
        return;
    while (atomic_exchange(&word, 2) != 0)
        if (syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, 2, NULL, NULL, 0) < 0)
            CHECK(errno == EAGAIN || errno == EINTR);
}

static void unlock(void)
{
    if (atomic_exchange(&word, 0) == 2)
        CHECK(syscall(SYS_futex, &word, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0) >= 0);
}

static void *twice(void *p)
{
    for (int i = 0; i < 2; i++) {
        lock();
        count++;
        unlock();
    }
    return p;
}

int main(void)
{
    pthread_t a = start(twice, NULL), b = start(twice, NULL);
    join(a);
    join(b);
    CHECK_EQ(count, 4);
    CHECK_EQ(word, 0);
    return ok();
}
