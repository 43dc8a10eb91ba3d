/* conformance: pselect */
#include "check.h"
#include <signal.h>
#include <sys/select.h>

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
    fd_set set;
    CHECK_EQ(pipe(fd), 0);
    CHECK_EQ(sigaction(SIGUSR1, &act, NULL), 0);
    sigemptyset(&none);
    sigemptyset(&usr1);
    sigaddset(&usr1, SIGUSR1);
    CHECK_EQ(pthread_sigmask(SIG_BLOCK, &usr1, NULL), 0);
    CHECK_EQ(raise(SIGUSR1), 0);
    FD_ZERO(&set);
    FD_SET(fd[0], &set);
    CHECK_ERRNO(pselect(fd[0] + 1, &set, NULL, NULL, &later, &none), EINTR);
    CHECK_EQ(handled, 1);
    pthread_t t = start(writer, NULL);
    FD_ZERO(&set);
    FD_SET(fd[0], &set);
    CHECK_EQ(pselect(fd[0] + 1, &set, NULL, NULL, NULL, NULL), 1);
    CHECK(FD_ISSET(fd[0], &set));
    join(t);
    return ok();
}
