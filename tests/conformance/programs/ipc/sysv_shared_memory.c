/* conformance: shmget, shmat, shmdt, shmctl */
#include "check.h"
#include <sys/shm.h>

int main(void)
{
    struct shmid_ds state;
    int segment = shmget(IPC_PRIVATE, 5000, IPC_CREAT | 0600);
    CHECK(segment >= 0);
    char *one = shmat(segment, NULL, 0), *other = shmat(segment, NULL, SHM_RDONLY);
    CHECK(one != (char *)-1 && other != (char *)-1 && one != other);
    CHECK_EQ(one[4999], 0);
    one[4999] = 'x';
    CHECK_EQ(other[4999], 'x');
    CHECK_EQ(shmctl(segment, IPC_STAT, &state), 0);
    CHECK_EQ(state.shm_nattch, 2);
    CHECK_EQ(state.shm_segsz, 5000);
    CHECK_EQ(shmctl(segment, IPC_RMID, NULL), 0); /* it goes with its last attachment */
    CHECK_EQ(shmdt(other), 0);
    CHECK_EQ(one[4999], 'x');
    CHECK_EQ(shmdt(one), 0);
    CHECK_ERRNO(shmdt(one), EINVAL);
    CHECK_ERRNO(shmctl(segment, IPC_STAT, &state), EINVAL);
    return ok();
}
