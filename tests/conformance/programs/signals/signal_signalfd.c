/* conformance: signalfd, read, pthread_kill */
#include "check.h"
#include <signal.h>
#include <sys/signalfd.h>

static int fd;

static void *body(void *p)
{
    struct signalfd_siginfo info;
    CHECK_EQ(read(fd, &info, sizeof info), sizeof info);
    CHECK_EQ(info.ssi_signo, SIGUSR1);
    return p;
}

int main(void)
{
    sigset_t usr1;
    sigemptyset(&usr1);
    sigaddset(&usr1, SIGUSR1);
    CHECK_EQ(pthread_sigmask(SIG_BLOCK, &usr1, NULL), 0);
    CHECK((fd = signalfd(-1, &usr1, SFD_CLOEXEC)) >= 0);
    pthread_t t = start(body, NULL);
    CHECK_EQ(kill(getpid(), SIGUSR1), 0);
    join(t);
    return ok();
}
