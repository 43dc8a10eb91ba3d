/* conformance: pthread_cond_signal, pthread_cond_wait */
#include "check.h"

/* A signal after the mutex was unlocked works as well. */
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int items;

static void *take_one(void *p)
{
    pthread_mutex_lock(&m);
    while (items == 0)
        pthread_cond_wait(&c, &m);
    items--;
    pthread_mutex_unlock(&m);
    return p;
}

int main(void)
{
    pthread_t a = start(take_one, NULL), b = start(take_one, NULL);
    for (int i = 0; i < 2; i++) {
        pthread_mutex_lock(&m);
        items++;
        pthread_mutex_unlock(&m);
        pthread_cond_signal(&c);
    }
    join(a);
    join(b);
    CHECK_EQ(items, 0);
    return ok();
}
