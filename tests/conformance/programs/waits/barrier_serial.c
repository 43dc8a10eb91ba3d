/* conformance: pthread_barrier_init, pthread_barrier_wait, pthread_barrier_destroy */
/* raddle: misuse */
#include "check.h"

static pthread_barrier_t barrier;

static void *meet(void *p)
{
    int r = pthread_barrier_wait(&barrier);
    CHECK(r == 0 || r == PTHREAD_BARRIER_SERIAL_THREAD);
    *(int *)p = r == PTHREAD_BARRIER_SERIAL_THREAD;
    return p;
}

int main(void)
{
    int serial[3];
    CHECK_EQ(pthread_barrier_init(&barrier, NULL, 0), EINVAL);
    CHECK_EQ(pthread_barrier_init(&barrier, NULL, 3), 0);
    pthread_t a = start(meet, &serial[0]), b = start(meet, &serial[1]);
    meet(&serial[2]);
    join(a);
    join(b);
    CHECK_EQ(serial[0] + serial[1] + serial[2], 1); /* exactly one */
    CHECK_EQ(pthread_barrier_destroy(&barrier), 0);
    return ok();
}
