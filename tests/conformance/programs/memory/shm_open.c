/* conformance: shm_open, shm_unlink, ftruncate, mmap */
#include "check.h"
#include <fcntl.h>
#include <sys/mman.h>

static pthread_mutex_t *one, *other;
static int count;

static void *worker(void *p)
{
    CHECK_EQ(pthread_mutex_lock(p), 0);
    count++;
    CHECK_EQ(pthread_mutex_unlock(p), 0);
    return p;
}

int main(void)
{
    char name[64];
    snprintf(name, sizeof name, "/raddle-conformance-%d", getpid());
    int fd = shm_open(name, O_RDWR | O_CREAT | O_EXCL, 0600);
    CHECK(fd >= 0);
    CHECK_ERRNO(shm_open(name, O_RDWR | O_CREAT | O_EXCL, 0600), EEXIST);
    CHECK_EQ(shm_unlink(name), 0);
    CHECK_ERRNO(shm_unlink(name), ENOENT);
    CHECK_EQ(ftruncate(fd, 4096), 0);
    one = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    other = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    CHECK(one != MAP_FAILED && other != MAP_FAILED);
    CHECK_EQ(pthread_mutex_init(one, NULL), 0);
    pthread_t a = start(worker, one), b = start(worker, other);
    join(a);
    join(b);
    CHECK_EQ(count, 2);
    return ok();
}
