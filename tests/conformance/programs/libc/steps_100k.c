/* conformance: pthread_mutex_lock, pthread_mutex_unlock */
#include "check.h"

/* A long run: 100,000 steps of one thread. */
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int count;

static void *body(void *p)
{
    for (int i = 0; i < 50000; i++) {
        pthread_mutex_lock(&m);
        count++;
        pthread_mutex_unlock(&m);
    }
    return p;
}

int main(void)
{
    join(start(body, NULL));
    CHECK_EQ(count, 50000);
    return ok();
}
