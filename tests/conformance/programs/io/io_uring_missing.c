/* conformance: io_uring_setup, futex_waitv as in older kernels */
/* raddle: gap: raddle answers ENOSYS, and says that it did */
#include "check.h"
#include <sys/syscall.h>

static void *body(void *p)
{
    char parameters[256] = "";
    long fd = syscall(SYS_io_uring_setup, 2, parameters);
    CHECK(fd >= 0 || errno == ENOSYS || errno == EPERM);
    return p;
}

int main(void)
{
    join(start(body, NULL));
    return ok();
}
