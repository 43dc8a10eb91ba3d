/* conformance: sem_clockwait */
#include "check.h"
#include <semaphore.h>

static sem_t s;

static void *body(void *p)
{
    struct timespec soon = in_ms(CLOCK_MONOTONIC, 10), past = in_ms(CLOCK_REALTIME, -1000);
    CHECK_ERRNO(sem_clockwait(&s, CLOCK_MONOTONIC, &soon), ETIMEDOUT);
    CHECK(now(CLOCK_MONOTONIC) >= nanoseconds(soon));
    CHECK_ERRNO(sem_clockwait(&s, CLOCK_REALTIME, &past), ETIMEDOUT);
    CHECK_ERRNO(sem_clockwait(&s, CLOCK_PROCESS_CPUTIME_ID, &soon), EINVAL);
    CHECK_EQ(sem_post(&s), 0);
    CHECK_EQ(sem_clockwait(&s, CLOCK_MONOTONIC, &soon), 0);
    return p;
}

int main(void)
{
    CHECK_EQ(sem_init(&s, 0, 0), 0);
    join(start(body, NULL));
    return ok();
}
