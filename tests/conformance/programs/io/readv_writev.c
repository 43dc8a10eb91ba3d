/* conformance: readv, writev, pread, pwrite, preadv, pwritev */
#include "check.h"
#include <sys/mman.h>
#include <sys/uio.h>

static int fd[2];

static void *writer(void *p)
{
    struct iovec pieces[] = {{"a", 1}, {"bcd", 3}};
    CHECK_EQ(writev(fd[1], pieces, 2), 4);
    return p;
}

int main(void)
{
    char text[5] = "";
    struct iovec pieces[] = {{text, 2}, {text + 2, 2}};
    CHECK_EQ(pipe(fd), 0);
    pthread_t t = start(writer, NULL);
    CHECK_EQ(readv(fd[0], pieces, 2), 4);
    CHECK_STR(text, "abcd");
    join(t);
    int file = memfd_create("file", 0);
    CHECK(file >= 0);
    CHECK_EQ(pwrite(file, "wxyz", 4, 2), 4);
    CHECK_EQ(preadv(file, pieces, 2, 2), 4);
    CHECK_STR(text, "wxyz");
    CHECK_EQ(pwritev(file, pieces, 1, 4), 2);
    CHECK_EQ(pread(file, text, 4, 2), 4);
    CHECK_STR(text, "wxwx");
    CHECK_ERRNO(pread(fd[0], text, 1, 0), ESPIPE);
    return ok();
}
