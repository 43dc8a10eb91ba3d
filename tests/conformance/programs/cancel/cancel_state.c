/* conformance: pthread_setcancelstate, pthread_cancel, pthread_testcancel */
#include "check.h"
#include <semaphore.h>

static sem_t cancelled;
static int got_through, passed;

static void *body(UNUSED void *p)
{
    int old = -1;
    CHECK_EQ(pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &old), 0);
    CHECK_EQ(old, PTHREAD_CANCEL_ENABLE);
    sem_post((sem_t *)p);
    sem_wait(&cancelled); /* a cancellation point, but cancellation is disabled */
    pthread_testcancel();
    got_through = 1;
    CHECK_EQ(pthread_setcancelstate(12345, NULL), EINVAL);
    CHECK_EQ(pthread_setcancelstate(PTHREAD_CANCEL_ENABLE, &old), 0);
    CHECK_EQ(old, PTHREAD_CANCEL_DISABLE);
    pthread_testcancel();
    passed = 1;
    return p;
}

int main(void)
{
    sem_t disabled;
    sem_init(&disabled, 0, 0);
    sem_init(&cancelled, 0, 0);
    pthread_t t = start(body, &disabled);
    sem_wait(&disabled);
    CHECK_EQ(pthread_cancel(t), 0);
    sem_post(&cancelled);
    CHECK(join(t) == PTHREAD_CANCELED);
    CHECK_EQ(got_through, 1);
    CHECK_EQ(passed, 0);
    return ok();
}
