/* conformance: pthread_attr_setsigmask_np, pthread_attr_getsigmask_np */
#include "check.h"
#include <signal.h>

static void *body(void *p)
{
    sigset_t mine;
    CHECK_EQ(pthread_sigmask(SIG_SETMASK, NULL, &mine), 0);
    CHECK(sigismember(&mine, SIGUSR1));
    CHECK(!sigismember(&mine, SIGUSR2));
    return p;
}

int main(void)
{
    pthread_attr_t attr;
    pthread_t t;
    sigset_t set, got;
    CHECK_EQ(pthread_attr_init(&attr), 0);
    CHECK_EQ(pthread_attr_getsigmask_np(&attr, &got), PTHREAD_ATTR_NO_SIGMASK_NP);
    sigemptyset(&set);
    sigaddset(&set, SIGUSR1);
    CHECK_EQ(pthread_attr_setsigmask_np(&attr, &set), 0);
    CHECK_EQ(pthread_attr_getsigmask_np(&attr, &got), 0);
    CHECK(sigismember(&got, SIGUSR1));
    sigemptyset(&set);
    sigaddset(&set, SIGUSR2);
    CHECK_EQ(pthread_sigmask(SIG_BLOCK, &set, NULL), 0); /* not inherited: the attribute decides */
    CHECK_EQ(pthread_create(&t, &attr, body, NULL), 0);
    join(t);
    CHECK_EQ(pthread_attr_destroy(&attr), 0);
    return ok();
}
