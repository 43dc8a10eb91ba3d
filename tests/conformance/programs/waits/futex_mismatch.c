/* conformance: syscall */
#include "check.h"
#include <linux/futex.h>
#include <sys/syscall.h>

static int word = 5;

static void *body(void *p)
{
    struct timespec ten = {0, 10000000};
    CHECK_ERRNO(syscall(SYS_futex, &word, FUTEX_WAIT, 4, NULL, NULL, 0), EAGAIN);
    CHECK_ERRNO(syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, 6, &ten, NULL, 0), EAGAIN);
    CHECK_ERRNO(syscall(SYS_futex, &word, FUTEX_WAIT_BITSET_PRIVATE, 6, NULL, NULL, FUTEX_BITSET_MATCH_ANY), EAGAIN);
    CHECK_ERRNO(syscall(SYS_futex, (char *)&word + 1, FUTEX_WAIT, 5, NULL, NULL, 0), EINVAL); /* not aligned */
    CHECK_EQ(syscall(SYS_futex, &word, FUTEX_WAKE, 1, NULL, NULL, 0), 0);
    return p;
}

int main(void)
{
    join(start(body, NULL));
    return ok();
}
