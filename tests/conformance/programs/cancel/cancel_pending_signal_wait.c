/* conformance: sigwait, sigwaitinfo, sigtimedwait, sigsuspend, pthread_cancel */
#include "check.h"
#include <signal.h>
#include "cancel.h"

static sigset_t usr1, none;
static int number;
static const struct timespec tick = {0, 1000000};
static void in_sigwait(void) { sigwait(&usr1, &number); }
static void in_sigwaitinfo(void) { sigwaitinfo(&usr1, NULL); }
static void in_sigtimedwait(void) { sigtimedwait(&usr1, NULL, &tick); }
static void in_sigsuspend(void) { sigsuspend(&none); }

int main(void)
{
    sigemptyset(&none);
    sigemptyset(&usr1);
    sigaddset(&usr1, SIGUSR1);
    CHECK_EQ(pthread_sigmask(SIG_BLOCK, &usr1, NULL), 0);
    CHECK(cancelled_in(in_sigwait));
    CHECK(cancelled_in(in_sigwaitinfo));
    CHECK(cancelled_in(in_sigtimedwait));
    CHECK(cancelled_in(in_sigsuspend));
    return ok();
}
