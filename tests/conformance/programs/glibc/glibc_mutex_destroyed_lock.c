/* conformance: pthread_mutex_lock, pthread_mutex_trylock */
/* raddle: misuse */
#include "check.h"

/* Undefined in POSIX, an error code in glibc; a tool may report misuse instead. */
int main(void)
{
    pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
    CHECK_EQ(pthread_mutex_destroy(&m), 0);
    CHECK_EQ(pthread_mutex_lock(&m), EINVAL);
    CHECK_EQ(pthread_mutex_trylock(&m), EINVAL);
    CHECK_EQ(pthread_mutex_init(&m, NULL), 0);
    CHECK_EQ(pthread_mutex_lock(&m), 0);
    return ok();
}
