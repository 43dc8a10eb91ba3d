/* conformance: timer_create, timer_settime, timer_gettime, timer_delete, sigwaitinfo */
#include "check.h"
#include <signal.h>

static void *body(void *p)
{
    struct sigevent event = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGUSR1, .sigev_value.sival_int = 7};
    struct itimerspec ten = {.it_value = {0, 10000000}}, left;
    siginfo_t info;
    timer_t timer;
    CHECK_EQ(timer_create(CLOCK_MONOTONIC, &event, &timer), 0);
    CHECK_EQ(timer_settime(timer, 0, &ten, NULL), 0);
    CHECK_EQ(timer_gettime(timer, &left), 0);
    CHECK(nanoseconds(left.it_value) <= 10000000);
    CHECK_EQ(sigwaitinfo((sigset_t *)p, &info), SIGUSR1);
    CHECK_EQ(info.si_code, SI_TIMER);
    CHECK_EQ(info.si_value.sival_int, 7);
    CHECK_EQ(timer_delete(timer), 0);
    return p;
}

int main(void)
{
    sigset_t usr1;
    sigemptyset(&usr1);
    sigaddset(&usr1, SIGUSR1);
    CHECK_EQ(pthread_sigmask(SIG_BLOCK, &usr1, NULL), 0);
    join(start(body, &usr1));
    return ok();
}
