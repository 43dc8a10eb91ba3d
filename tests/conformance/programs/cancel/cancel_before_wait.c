/* conformance: pthread_cancel, pthread_cond_wait, pthread_mutex_lock */
#include "check.h"

/* The outcome is the same at any moment of cancellation between the thread's start and its wait. */
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int entered, left;

static void leave(UNUSED void *p)
{
    left++;
    pthread_mutex_unlock(&m);
}

static void *body(void *p)
{
    pthread_mutex_lock(&m);
    entered++;
    pthread_cleanup_push(leave, NULL);
    for (;;)
        pthread_cond_wait(&c, &m);
    pthread_cleanup_pop(0);
    return p;
}

int main(void)
{
    pthread_t t = start(body, NULL);
    CHECK_EQ(pthread_cancel(t), 0);
    CHECK(join(t) == PTHREAD_CANCELED);
    CHECK_EQ(entered, 1);
    CHECK_EQ(left, 1);
    return ok();
}
