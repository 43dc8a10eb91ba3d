/* conformance: open, write, lseek, fsync, ftruncate, mkstemp, unlink, fstat */
#include "check.h"
#include <fcntl.h>
#include <sys/stat.h>

/* Two threads append to one file: both records are complete, in either order. */
static int fd;

static void *append(void *p)
{
    CHECK_EQ(write(fd, p, 3), 3);
    return p;
}

int main(void)
{
    char name[] = "/tmp/conformance-XXXXXX", text[7] = "";
    struct stat st;
    CHECK((fd = mkstemp(name)) >= 0);
    CHECK_EQ(unlink(name), 0);
    CHECK_EQ(fcntl(fd, F_SETFL, O_APPEND), 0);
    pthread_t a = start(append, "aaa"), b = start(append, "bbb");
    join(a);
    join(b);
    CHECK_EQ(lseek(fd, 0, SEEK_SET), 0);
    CHECK_EQ(read(fd, text, 6), 6);
    CHECK(strcmp(text, "aaabbb") == 0 || strcmp(text, "bbbaaa") == 0);
    CHECK_EQ(fsync(fd), 0);
    CHECK_EQ(ftruncate(fd, 2), 0);
    CHECK_EQ(fstat(fd, &st), 0);
    CHECK_EQ(st.st_size, 2);
    return ok();
}
