/* conformance: mq_notify, mq_send, sigwaitinfo */
#include "check.h"
#include <fcntl.h>
#include <mqueue.h>
#include <signal.h>

static mqd_t queue;

static void *sender(void *p)
{
    CHECK_EQ(mq_send(queue, "a", 1, 0), 0);
    CHECK_EQ(mq_send(queue, "b", 1, 0), 0);
    return p;
}

int main(void)
{
    sigset_t usr1;
    sigemptyset(&usr1);
    sigaddset(&usr1, SIGUSR1);
    CHECK_EQ(pthread_sigmask(SIG_BLOCK, &usr1, NULL), 0);
    struct mq_attr attributes = {0};
    attributes.mq_maxmsg = 2;
    attributes.mq_msgsize = 4;
    CHECK((queue = mq_open("/conformance-notify", O_RDWR | O_CREAT, 0600, &attributes)) >= 0);
    struct sigevent event = {0};
    event.sigev_notify = SIGEV_SIGNAL;
    event.sigev_signo = SIGUSR1;
    event.sigev_value.sival_int = 5;
    CHECK_EQ(mq_notify(queue, &event), 0);
    CHECK_ERRNO(mq_notify(queue, &event), EBUSY);
    pthread_t t = start(sender, NULL);
    siginfo_t info;
    CHECK_EQ(sigwaitinfo(&usr1, &info), SIGUSR1);
    CHECK_EQ(info.si_code, SI_MESGQ);
    CHECK_EQ(info.si_value.sival_int, 5);
    join(t);
    CHECK_EQ(mq_notify(queue, NULL), 0); /* the request is over: there is none to remove */
    CHECK_EQ(mq_unlink("/conformance-notify"), 0);
    return ok();
}
