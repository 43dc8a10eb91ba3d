/* planted: deadlock: producer and consumers share one condition, and a consumer's signal wakes the other consumer */
#include "check.h"

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int full;

static void *consumer(void *p)
{
    pthread_mutex_lock(&m);
    while (!full)
        pthread_cond_wait(&c, &m);
    full = 0;
    pthread_cond_signal(&c);
    pthread_mutex_unlock(&m);
    return p;
}

int main(void)
{
    pthread_t t = start(consumer, NULL), u = start(consumer, NULL);
    for (int i = 0; i < 2; i++) {
        pthread_mutex_lock(&m);
        while (full)
            pthread_cond_wait(&c, &m);
        full = 1;
        pthread_cond_signal(&c);
        pthread_mutex_unlock(&m);
    }
    join(t);
    join(u);
    return ok();
}
