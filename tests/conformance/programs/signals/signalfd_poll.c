/* conformance: signalfd, poll, read, pthread_kill: a signal for another thread is not shown */
#include "check.h"
#include <poll.h>
#include <signal.h>
#include <sys/signalfd.h>

static int fd;
static pthread_t main_thread;

static void *body(void *p)
{
    CHECK_EQ(pthread_kill(main_thread, SIGUSR1), 0);
    struct pollfd ready = {fd, POLLIN, 0};
    CHECK_EQ(poll(&ready, 1, 0), 0);
    return p;
}

int main(void)
{
    sigset_t usr1;
    struct signalfd_siginfo info;
    sigemptyset(&usr1);
    sigaddset(&usr1, SIGUSR1);
    CHECK_EQ(pthread_sigmask(SIG_BLOCK, &usr1, NULL), 0);
    CHECK((fd = signalfd(-1, &usr1, SFD_NONBLOCK)) >= 0);
    CHECK_ERRNO(read(fd, &info, sizeof info), EAGAIN);
    CHECK_ERRNO(read(fd, &info, 8), EINVAL);
    main_thread = pthread_self();
    pthread_t t = start(body, NULL);
    struct pollfd ready = {fd, POLLIN, 0};
    CHECK_EQ(poll(&ready, 1, -1), 1);
    CHECK_EQ(read(fd, &info, sizeof info), sizeof info);
    CHECK_EQ(info.ssi_signo, SIGUSR1);
    CHECK_ERRNO(read(fd, &info, sizeof info), EAGAIN);
    join(t);
    return ok();
}
