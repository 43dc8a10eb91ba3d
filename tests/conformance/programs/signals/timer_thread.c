/* conformance: timer_create with SIGEV_THREAD, sem_wait */
#include "check.h"
#include <semaphore.h>
#include <signal.h>

/* Every expiration runs the function in a new thread. */
static sem_t expired;
static pthread_t creator;

static void on_expiration(union sigval value)
{
    CHECK_EQ(value.sival_int, 7);
    CHECK(!pthread_equal(pthread_self(), creator));
    CHECK_EQ(sem_post(&expired), 0);
}

int main(void)
{
    struct sigevent event = {.sigev_notify = SIGEV_THREAD, .sigev_notify_function = on_expiration, .sigev_value.sival_int = 7};
    struct itimerspec ten = {.it_value = {0, 10000000}};
    timer_t timer;
    creator = pthread_self();
    CHECK_EQ(sem_init(&expired, 0, 0), 0);
    CHECK_EQ(timer_create(CLOCK_MONOTONIC, &event, &timer), 0);
    for (int i = 0; i < 2; i++) {
        long long before = now(CLOCK_MONOTONIC);
        CHECK_EQ(timer_settime(timer, 0, &ten, NULL), 0);
        CHECK_EQ(sem_wait(&expired), 0);
        CHECK(now(CLOCK_MONOTONIC) - before >= 10000000);
    }
    CHECK_EQ(timer_delete(timer), 0);
    return ok();
}
