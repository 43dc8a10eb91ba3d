/* conformance: write, pthread_kill, sigaction */
#include "signal_interrupts.h"
#include <fcntl.h>

/* A write that waits for room fails with EINTR if nothing was written; otherwise it returns the bytes written. */
static int fd[2];
static char data[1 << 16];

static void *writer(void *p)
{
    ssize_t n = write(fd[1], data, 4097);
    if (n < 0) {
        CHECK_EQ(errno, EINTR);
        CHECK_EQ(handled, 1);
    } else {
        CHECK(n == 1 || n == 4097);
    }
    return p;
}

int main(void)
{
    CHECK_EQ(pipe(fd), 0);
    handle_signals(0);
    const int size = fcntl(fd[0], F_GETPIPE_SZ);
    for (int done = 0; done < size; done += 4096)
        CHECK_EQ(write(fd[1], data, 4096), 4096);
    pthread_t t = start(writer, NULL);
    interrupt(t);
    CHECK_EQ(read(fd[0], data, 8192), 8192); /* in case the signal arrives before the write */
    join(t);
    return ok();
}
