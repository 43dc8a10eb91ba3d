/* conformance: pthread_mutex_destroy, pthread_mutex_init */
#include "check.h"

/* The memory of a destroyed mutex may be reused for another mutex, or freed. */
static void *use_and_drop(void *p)
{
    pthread_mutex_t *m = (pthread_mutex_t *)p;
    CHECK_EQ(pthread_mutex_lock(m), 0);
    CHECK_EQ(pthread_mutex_unlock(m), 0);
    CHECK_EQ(pthread_mutex_destroy(m), 0);
    CHECK_EQ(pthread_mutex_init(m, NULL), 0);
    CHECK_EQ(pthread_mutex_lock(m), 0);
    CHECK_EQ(pthread_mutex_unlock(m), 0);
    CHECK_EQ(pthread_mutex_destroy(m), 0);
    free(m);
    return NULL;
}

int main(void)
{
    for (int i = 0; i < 2; i++) {
        pthread_mutex_t *m = (pthread_mutex_t *)malloc(sizeof *m);
        CHECK(m);
        CHECK_EQ(pthread_mutex_init(m, NULL), 0);
        join(start(use_and_drop, m));
    }
    return ok();
}
