/* conformance: fcntl F_SETOWN, F_GETOWN, O_ASYNC: the signal reaches this process */
#include "check.h"
#include <fcntl.h>
#include <signal.h>
#include <sys/socket.h>

static int pair[2];
static volatile sig_atomic_t signalled;

static void handler(int number)
{
    CHECK_EQ(number, SIGIO);
    signalled = 1;
}

static void *writer(void *p)
{
    CHECK_EQ(write(pair[1], "x", 1), 1);
    return p;
}

int main(void)
{
    struct sigaction action = {.sa_handler = handler};
    CHECK_EQ(sigaction(SIGIO, &action, NULL), 0);
    CHECK_EQ(socketpair(AF_UNIX, SOCK_STREAM, 0, pair), 0);
    CHECK_EQ(fcntl(pair[0], F_SETOWN, getpid()), 0);
    CHECK_EQ(fcntl(pair[0], F_GETOWN), getpid());
    CHECK_EQ(fcntl(pair[0], F_SETFL, O_ASYNC), 0);
    pthread_t t = start(writer, NULL);
    join(t);
    for (int i = 0; i < 1000 && !signalled; i++)
        usleep(1000);
    CHECK(signalled);
    return ok();
}
