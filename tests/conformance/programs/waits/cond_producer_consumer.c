/* conformance: pthread_cond_wait, pthread_cond_signal */
#include "check.h"

/* One slot, one producer, one consumer: the items arrive complete and in order. */
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t not_full = PTHREAD_COND_INITIALIZER, not_empty = PTHREAD_COND_INITIALIZER;
static int slot;

static void *producer(void *p)
{
    for (int i = 1; i <= 3; i++) {
        pthread_mutex_lock(&m);
        while (slot)
            pthread_cond_wait(&not_full, &m);
        slot = i;
        pthread_cond_signal(&not_empty);
        pthread_mutex_unlock(&m);
    }
    return p;
}

int main(void)
{
    pthread_t t = start(producer, NULL);
    for (int i = 1; i <= 3; i++) {
        pthread_mutex_lock(&m);
        while (!slot)
            pthread_cond_wait(&not_empty, &m);
        CHECK_EQ(slot, i);
        slot = 0;
        pthread_cond_signal(&not_full);
        pthread_mutex_unlock(&m);
    }
    join(t);
    return ok();
}
