/* conformance: ppoll */
#include "check.h"
#include <poll.h>
#include <signal.h>

/* ppoll changes the mask during the wait: the pending signal is delivered there. */
static volatile sig_atomic_t handled;
static int fd[2];

static void on_signal(UNUSED int number) { handled = 1; }

static void *writer(void *p)
{
    CHECK_EQ(write(fd[1], "x", 1), 1);
    return p;
}

int main(void)
{
    sigset_t usr1, none;
    struct sigaction act = {.sa_handler = on_signal};
    struct timespec later = {5, 0};
    CHECK_EQ(pipe(fd), 0);
    struct pollfd one = {.fd = fd[0], .events = POLLIN};
    CHECK_EQ(sigaction(SIGUSR1, &act, NULL), 0);
    sigemptyset(&none);
    sigemptyset(&usr1);
    sigaddset(&usr1, SIGUSR1);
    CHECK_EQ(pthread_sigmask(SIG_BLOCK, &usr1, NULL), 0);
    CHECK_EQ(raise(SIGUSR1), 0);
    CHECK_EQ(handled, 0);
    CHECK_ERRNO(ppoll(&one, 1, &later, &none), EINTR);
    CHECK_EQ(handled, 1);
    pthread_t t = start(writer, NULL);
    CHECK_EQ(ppoll(&one, 1, NULL, &none), 1);
    CHECK_EQ(one.revents, POLLIN);
    join(t);
    return ok();
}
