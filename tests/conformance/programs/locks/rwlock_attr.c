/* conformance: pthread_rwlockattr_init, pthread_rwlockattr_destroy, pthread_rwlockattr_getpshared, pthread_rwlockattr_setpshared, pthread_rwlockattr_getkind_np, pthread_rwlockattr_setkind_np */
#include "check.h"

int main(void)
{
    static const int kinds[] = {PTHREAD_RWLOCK_PREFER_WRITER_NP, PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP, PTHREAD_RWLOCK_PREFER_READER_NP};
    pthread_rwlockattr_t attr;
    int v = -1;
    CHECK_EQ(pthread_rwlockattr_init(&attr), 0);
    CHECK_EQ(pthread_rwlockattr_getkind_np(&attr, &v), 0);
    CHECK_EQ(v, PTHREAD_RWLOCK_DEFAULT_NP);
    for (int i = 0; i < 3; i++) {
        CHECK_EQ(pthread_rwlockattr_setkind_np(&attr, kinds[i]), 0);
        CHECK_EQ(pthread_rwlockattr_getkind_np(&attr, &v), 0);
        CHECK_EQ(v, kinds[i]);
    }
    CHECK_EQ(pthread_rwlockattr_setkind_np(&attr, 99), EINVAL);
    CHECK_EQ(pthread_rwlockattr_getpshared(&attr, &v), 0);
    CHECK_EQ(v, PTHREAD_PROCESS_PRIVATE);
    CHECK_EQ(pthread_rwlockattr_setpshared(&attr, PTHREAD_PROCESS_SHARED), 0);
    CHECK_EQ(pthread_rwlockattr_getpshared(&attr, &v), 0);
    CHECK_EQ(v, PTHREAD_PROCESS_SHARED);
    CHECK_EQ(pthread_rwlockattr_setpshared(&attr, 99), EINVAL);
    CHECK_EQ(pthread_rwlockattr_destroy(&attr), 0);
    return ok();
}
