/* conformance: sem_timedwait */
#include "check.h"
#include <semaphore.h>

static sem_t s;

static void *body(void *p)
{
    struct timespec soon = in_ms(CLOCK_REALTIME, 10), past = in_ms(CLOCK_REALTIME, -1000), bad = {1, 1000000000};
    CHECK_ERRNO(sem_timedwait(&s, &soon), ETIMEDOUT);
    CHECK_ERRNO(sem_timedwait(&s, &past), ETIMEDOUT);
    CHECK_ERRNO(sem_timedwait(&s, &bad), EINVAL);
    CHECK_EQ(sem_post(&s), 0);
    CHECK_EQ(sem_timedwait(&s, &past), 0); /* no wait */
    return p;
}

static void *taker(void *p)
{
    struct timespec later = in_ms(CLOCK_REALTIME, 5000);
    int r = sem_timedwait(&s, &later);
    CHECK(r == 0 || errno == ETIMEDOUT); /* ETIMEDOUT if virtual time passed first */
    *(int *)p = r == 0;
    return p;
}

int main(void)
{
    int got = 0, left;
    CHECK_EQ(sem_init(&s, 0, 0), 0);
    join(start(body, NULL));
    pthread_t t = start(taker, &got);
    CHECK_EQ(sem_post(&s), 0);
    join(t);
    CHECK_EQ(sem_getvalue(&s, &left), 0);
    CHECK_EQ(got + left, 1); /* the post was consumed or is still there */
    return ok();
}
