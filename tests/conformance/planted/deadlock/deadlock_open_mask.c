/* planted: deadlock: ppoll changes the mask atomically, but the signal was never blocked and may arrive before */
#include "check.h"
#include <poll.h>
#include <signal.h>

static volatile sig_atomic_t told;
static void on_signal(UNUSED int number) { told = 1; }

static void *waiter(UNUSED void *p)
{
    sigset_t none;
    sigemptyset(&none);
    while (!told) ppoll(NULL, 0, NULL, &none);
    return NULL;
}

int main(void)
{
    const struct sigaction act = {.sa_handler = on_signal};
    CHECK_EQ(sigaction(SIGUSR1, &act, NULL), 0);
    pthread_t t = start(waiter, NULL);
    CHECK_EQ(pthread_kill(t, SIGUSR1), 0);
    join(t);
    return ok();
}
