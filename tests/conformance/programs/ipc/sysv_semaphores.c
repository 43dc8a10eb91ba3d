/* conformance: semget, semop, semtimedop, semctl */
#include "check.h"
#include <sys/sem.h>

static int set;

static int change(int number, int by, int flags)
{
    struct sembuf one = {(unsigned short)number, (short)by, (short)flags};
    return semop(set, &one, 1);
}

static void *taker(void *p)
{
    struct sembuf both[2] = {{0, -1, 0}, {1, -1, 0}}; /* both or none */
    CHECK_EQ(semop(set, both, 2), 0);
    return p;
}

int main(void)
{
    CHECK((set = semget(IPC_PRIVATE, 2, IPC_CREAT | 0600)) >= 0);
    CHECK_EQ(semctl(set, 0, GETVAL), 0);
    CHECK_ERRNO(change(0, -1, IPC_NOWAIT), EAGAIN);
    CHECK_ERRNO(change(7, -1, 0), EFBIG);
    struct timespec span = {0, 1000000};
    struct sembuf down = {0, -1, 0};
    CHECK_ERRNO(semtimedop(set, &down, 1, &span), EAGAIN);
    pthread_t t = start(taker, NULL);
    CHECK_EQ(change(0, 1, SEM_UNDO), 0);
    CHECK_EQ(change(1, 1, 0), 0);
    struct sembuf empty[2] = {{0, 0, 0}, {1, 0, 0}}; /* waits for zero */
    CHECK_EQ(semop(set, empty, 2), 0);
    join(t);
    unsigned short values[2] = {3, 4};
    CHECK_EQ(semctl(set, 0, SETALL, values), 0);
    CHECK_EQ(semctl(set, 1, GETVAL), 4);
    CHECK_EQ(semctl(set, 0, IPC_RMID), 0);
    CHECK_ERRNO(semctl(set, 0, GETVAL), EINVAL);
    return ok();
}
