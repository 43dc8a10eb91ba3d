/* conformance: syscall */
/* raddle: unseen calls */
#include "check.h"
#include <fcntl.h>
#include <sys/syscall.h>

/* syscall() passes six arguments, sets errno, and works like the function of the same name. */
static void *body(void *p)
{
    struct timespec ts, ten = {0, 10000000};
    long long before = now(CLOCK_MONOTONIC);
    char byte = 0;
    int fd[2];
    CHECK_ERRNO(syscall(99999), ENOSYS);
    CHECK_ERRNO(syscall(SYS_read, -1, &byte, 1), EBADF);
    CHECK_EQ(syscall(SYS_sched_yield), 0);
    CHECK_EQ(syscall(SYS_nanosleep, &ten, NULL), 0);
    CHECK(now(CLOCK_MONOTONIC) - before >= 10000000);
    CHECK_EQ(syscall(SYS_clock_gettime, CLOCK_MONOTONIC, &ts), 0);
    CHECK(nanoseconds(ts) - before >= 10000000);
    CHECK_EQ(syscall(SYS_pipe2, fd, O_CLOEXEC), 0);
    CHECK_EQ(syscall(SYS_write, fd[1], "x", 1), 1);
    CHECK_EQ(syscall(SYS_read, fd[0], &byte, 1), 1);
    CHECK_EQ(byte, 'x');
    char *page = (char *)syscall(SYS_mmap, NULL, 4096, 3 /* read, write */, 0x22 /* private, anonymous */, -1, 0);
    CHECK((long)page != -1);
    page[4095] = 1;
    CHECK_EQ(syscall(SYS_munmap, page, 4096), 0);
    CHECK_EQ(syscall(SYS_close, fd[0]), 0);
    CHECK_EQ(syscall(SYS_close, fd[1]), 0);
    return p;
}

int main(void)
{
    body(NULL);
    join(start(body, NULL));
    return ok();
}
