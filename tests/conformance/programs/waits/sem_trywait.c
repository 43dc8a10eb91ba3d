/* conformance: sem_trywait */
#include "check.h"
#include <semaphore.h>

static sem_t s;

static void *take(void *p)
{
    errno = 0;
    *(int *)p = sem_trywait(&s);
    CHECK(*(int *)p == 0 || errno == EAGAIN);
    return p;
}

int main(void)
{
    int a_result, b_result;
    CHECK_EQ(sem_init(&s, 0, 0), 0);
    CHECK_ERRNO(sem_trywait(&s), EAGAIN);
    CHECK_EQ(sem_post(&s), 0);
    pthread_t a = start(take, &a_result), b = start(take, &b_result);
    join(a);
    join(b);
    CHECK_EQ(a_result + b_result, -1); /* exactly one succeeds */
    CHECK_ERRNO(sem_trywait(&s), EAGAIN);
    return ok();
}
