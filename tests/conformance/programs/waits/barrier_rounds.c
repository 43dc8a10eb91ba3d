/* conformance: pthread_barrier_wait */
#include "check.h"

/* The same barrier is used many times: after each round both threads see the writes made before it. */
static pthread_barrier_t barrier;
static int done[2][3];

static void *rounds(void *p)
{
    int me = *(int *)p, serials = 0;
    for (int i = 0; i < 3; i++) {
        done[me][i] = 1;
        serials += pthread_barrier_wait(&barrier) == PTHREAD_BARRIER_SERIAL_THREAD;
        CHECK_EQ(done[!me][i], 1);
    }
    *(int *)p = serials;
    return p;
}

int main(void)
{
    int a = 0, b = 1;
    CHECK_EQ(pthread_barrier_init(&barrier, NULL, 2), 0);
    pthread_t t = start(rounds, &b);
    rounds(&a);
    join(t);
    CHECK_EQ(a + b, 3); /* one serial thread in each round */
    CHECK_EQ(pthread_barrier_destroy(&barrier), 0);
    return ok();
}
