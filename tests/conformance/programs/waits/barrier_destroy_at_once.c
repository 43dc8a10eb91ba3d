/* conformance: pthread_barrier_wait, pthread_barrier_destroy */
#include "check.h"

/* The serial thread may destroy and free the barrier although the other thread has not returned from the wait yet. */
static pthread_barrier_t *barrier;

static void *meet(void *p)
{
    pthread_barrier_t *mine = barrier;
    if (pthread_barrier_wait(mine) == PTHREAD_BARRIER_SERIAL_THREAD) {
        CHECK_EQ(pthread_barrier_destroy(mine), 0);
        free(mine);
        *(int *)p = 1;
    }
    return p;
}

int main(void)
{
    int a = 0, b = 0;
    barrier = (pthread_barrier_t *)malloc(sizeof *barrier);
    CHECK(barrier);
    CHECK_EQ(pthread_barrier_init(barrier, NULL, 2), 0);
    pthread_t t = start(meet, &a);
    meet(&b);
    join(t);
    CHECK_EQ(a + b, 1);
    return ok();
}
