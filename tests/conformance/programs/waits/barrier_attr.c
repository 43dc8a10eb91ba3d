/* conformance: pthread_barrierattr_init, pthread_barrierattr_destroy, pthread_barrierattr_getpshared, pthread_barrierattr_setpshared */
#include "check.h"

int main(void)
{
    pthread_barrierattr_t attr;
    pthread_barrier_t barrier;
    int v = -1;
    CHECK_EQ(pthread_barrierattr_init(&attr), 0);
    CHECK_EQ(pthread_barrierattr_getpshared(&attr, &v), 0);
    CHECK_EQ(v, PTHREAD_PROCESS_PRIVATE);
    CHECK_EQ(pthread_barrierattr_setpshared(&attr, 99), EINVAL);
    CHECK_EQ(pthread_barrierattr_setpshared(&attr, PTHREAD_PROCESS_SHARED), 0);
    CHECK_EQ(pthread_barrierattr_getpshared(&attr, &v), 0);
    CHECK_EQ(v, PTHREAD_PROCESS_SHARED);
    CHECK_EQ(pthread_barrier_init(&barrier, &attr, 1), 0);
    CHECK_EQ(pthread_barrierattr_destroy(&attr), 0);
    CHECK_EQ(pthread_barrier_wait(&barrier), PTHREAD_BARRIER_SERIAL_THREAD); /* the only thread: returns at once */
    CHECK_EQ(pthread_barrier_wait(&barrier), PTHREAD_BARRIER_SERIAL_THREAD);
    CHECK_EQ(pthread_barrier_destroy(&barrier), 0);
    return ok();
}
