/* conformance: pthread_mutex_init, pthread_mutex_lock, pthread_mutex_unlock, pthread_mutex_destroy */
#include "check.h"

static pthread_mutex_t m;
static int count;

static void *twice(void *p)
{
    for (int i = 0; i < 2; i++) {
        CHECK_EQ(pthread_mutex_lock(&m), 0);
        int seen = count;
        count = seen + 1;
        CHECK_EQ(pthread_mutex_unlock(&m), 0);
    }
    return p;
}

int main(void)
{
    CHECK_EQ(pthread_mutex_init(&m, NULL), 0);
    pthread_t a = start(twice, NULL), b = start(twice, NULL);
    join(a);
    join(b);
    CHECK_EQ(count, 4);
    CHECK_EQ(pthread_mutex_destroy(&m), 0);
    return ok();
}
