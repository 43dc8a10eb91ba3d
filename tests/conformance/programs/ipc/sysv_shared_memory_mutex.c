/* conformance: shmat, pthread_mutex_lock in shared memory: one object at two addresses */
#include "check.h"
#include <sys/shm.h>

struct data {
    pthread_mutex_t lock;
    int count;
};

static void *worker(void *p)
{
    struct data *data = p;
    CHECK_EQ(pthread_mutex_lock(&data->lock), 0);
    data->count++;
    CHECK_EQ(pthread_mutex_unlock(&data->lock), 0);
    return p;
}

int main(void)
{
    int segment = shmget(IPC_PRIVATE, sizeof(struct data), 0600);
    CHECK(segment >= 0);
    struct data *one = shmat(segment, NULL, 0), *other = shmat(segment, NULL, 0);
    CHECK(one != (void *)-1 && other != (void *)-1);
    CHECK_EQ(shmctl(segment, IPC_RMID, NULL), 0);
    pthread_mutex_init(&one->lock, NULL);
    pthread_t a = start(worker, one), b = start(worker, other);
    join(a);
    join(b);
    CHECK_EQ(one->count, 2);
    return ok();
}
