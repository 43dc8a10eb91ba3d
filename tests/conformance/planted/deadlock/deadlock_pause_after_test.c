/* planted: deadlock: the program assumes that pause returns, but the handler runs between the test of its flag and pause */
#include "check.h"
#include <signal.h>

static volatile sig_atomic_t told;
static void on_signal(UNUSED int number) { told = 1; }

static void *waiter(UNUSED void *p)
{
    while (!told) pause();
    return NULL;
}

int main(void)
{
    CHECK(signal(SIGUSR1, on_signal) != SIG_ERR);
    pthread_t t = start(waiter, NULL);
    CHECK_EQ(pthread_kill(t, SIGUSR1), 0);
    join(t);
    return ok();
}
