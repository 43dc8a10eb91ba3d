/* conformance: sem_open, sem_close, sem_unlink */
#include "check.h"
#include <fcntl.h>
#include <semaphore.h>

static char name[40];

static void *by_name(void *p)
{
    sem_t *same = sem_open(name, 0);
    CHECK(same != SEM_FAILED);
    CHECK(same == *(sem_t **)p); /* a second open in one process returns the same address */
    CHECK_EQ(sem_post(same), 0);
    CHECK_EQ(sem_close(same), 0);
    return p;
}

int main(void)
{
    sem_t *s;
    int value, tries = 0;
    do
        snprintf(name, sizeof name, "/conformance-%ld-%d", (long)getpid(), tries++);
    while ((s = sem_open(name, O_CREAT | O_EXCL, 0600, 1)) == SEM_FAILED && errno == EEXIST);
    CHECK(s != SEM_FAILED);
    CHECK(sem_open(name, O_CREAT | O_EXCL, 0600, 1) == SEM_FAILED);
    CHECK_EQ(errno, EEXIST);
    CHECK_EQ(sem_wait(s), 0);
    pthread_t t = start(by_name, &s);
    CHECK_EQ(sem_wait(s), 0); /* the thread posts it */
    join(t);
    CHECK_EQ(sem_unlink(name), 0);
    CHECK_ERRNO(sem_unlink(name), ENOENT);
    CHECK(sem_open(name, 0) == SEM_FAILED);
    CHECK_EQ(errno, ENOENT);
    CHECK_EQ(sem_post(s), 0); /* after sem_unlink the semaphore exists until it is closed */
    CHECK_EQ(sem_getvalue(s, &value), 0);
    CHECK_EQ(value, 1);
    CHECK_EQ(sem_close(s), 0);
    return ok();
}
