/* conformance: semget, semop, semctl with IPC_RMID */
#include "check.h"
#include <sys/sem.h>

static int set;

static void *waiter(void *p)
{
    struct sembuf down = {0, -1, 0};
    int result = semop(set, &down, 1);
    CHECK_EQ(result, -1);
    CHECK(errno == EIDRM || errno == EINVAL); /* removed while it waited, or before */
    return p;
}

int main(void)
{
    key_t key = 0x5ad1e;
    CHECK((set = semget(key, 1, IPC_CREAT | IPC_EXCL | 0600)) >= 0);
    CHECK_ERRNO(semget(key, 1, IPC_CREAT | IPC_EXCL | 0600), EEXIST);
    CHECK_EQ(semget(key, 1, 0), set);
    CHECK_ERRNO(semget(key, 2, 0), EINVAL);
    pthread_t t = start(waiter, NULL);
    CHECK_EQ(semctl(set, 0, IPC_RMID), 0);
    join(t);
    CHECK_ERRNO(semget(key, 1, 0), ENOENT);
    return ok();
}
