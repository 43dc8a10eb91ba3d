/* conformance: signal, raise, sigaction */
#include "check.h"
#include <signal.h>

/* The handler has run, in the calling thread, before raise returns. */
static __thread volatile sig_atomic_t handled;

static void on_signal(int number) { handled += number == SIGUSR1; }

static void *body(void *p)
{
    CHECK_EQ(raise(SIGUSR1), 0);
    CHECK_EQ(handled, 1);
    CHECK_EQ(raise(SIGUSR1), 0);
    CHECK_EQ(handled, 2);
    CHECK_EQ(raise(0), 0);
    return p;
}

int main(void)
{
    struct sigaction old;
    CHECK(signal(SIGUSR1, on_signal) == SIG_DFL);
    CHECK_EQ(sigaction(SIGUSR1, NULL, &old), 0);
    CHECK(old.sa_handler == on_signal);
    pthread_t a = start(body, NULL), b = start(body, NULL);
    join(a);
    join(b);
    CHECK_EQ(handled, 0);
    CHECK(signal(SIGUSR1, SIG_IGN) == on_signal);
    CHECK_EQ(raise(SIGUSR1), 0);
    CHECK_EQ(handled, 0);
    return ok();
}
