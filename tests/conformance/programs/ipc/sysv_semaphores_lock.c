/* conformance: semop as a lock: what it guards is ordered */
#include "check.h"
#include <sys/sem.h>

static int set, count;

static void *worker(void *p)
{
    struct sembuf down = {0, -1, SEM_UNDO}, up = {0, 1, SEM_UNDO};
    CHECK_EQ(semop(set, &down, 1), 0);
    count++;
    CHECK_EQ(semop(set, &up, 1), 0);
    return p;
}

int main(void)
{
    CHECK((set = semget(IPC_PRIVATE, 1, 0600)) >= 0);
    CHECK_EQ(semctl(set, 0, SETVAL, 1), 0);
    pthread_t a = start(worker, NULL), b = start(worker, NULL);
    join(a);
    join(b);
    CHECK_EQ(count, 2);
    CHECK_EQ(semctl(set, 0, IPC_RMID), 0);
    return ok();
}
