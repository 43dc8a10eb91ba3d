/* conformance: flock, fcntl with F_OFD_SETLKW, lockf: locks of open files hold up the other thread */
#include "check.h"
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>

static int inside, way;
static char path[] = "/tmp/raddle-conformance-flock.XXXXXX";

static void *worker(void *p)
{
    int fd = open(path, O_RDWR);
    CHECK(fd >= 0);
    if (way == 0) {
        CHECK_EQ(flock(fd, LOCK_EX), 0);
    } else {
        struct flock all = {0};
        all.l_type = F_WRLCK;
        CHECK_EQ(fcntl(fd, F_OFD_SETLKW, &all), 0);
    }
    CHECK_EQ(inside++, 0);
    inside--;
    CHECK_EQ(close(fd), 0); /* gives the lock back */
    return p;
}

int main(void)
{
    int fd = mkstemp(path);
    CHECK(fd >= 0);
    for (way = 0; way < 2; way++) {
        pthread_t a = start(worker, NULL), b = start(worker, NULL);
        join(a);
        join(b);
    }
    CHECK_EQ(lockf(fd, F_LOCK, 0), 0);
    CHECK_EQ(lockf(fd, F_TEST, 0), 0);
    CHECK_EQ(lockf(fd, F_ULOCK, 0), 0);
    CHECK_EQ(unlink(path), 0);
    return ok();
}
