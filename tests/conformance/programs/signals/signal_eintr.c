/* conformance: pthread_kill, read, recv, sigaction */
#include "check.h"
#include <semaphore.h>
#include <signal.h>
#include <sys/socket.h>

/* A handler without SA_RESTART ends a waiting read; with it, the read continues. The signal may also arrive before the
   read, so the handler writes data for the read. */
static int fd[2];

static void on_signal(UNUSED int number)
{
    if (write(fd[1], "x", 1) != 1)
        _exit(1);
}

static void *reader(void *restarts)
{
    char byte = 0;
    ssize_t n = read(fd[0], &byte, 1);
    if (n < 0) {
        CHECK_EQ(errno, EINTR);
        CHECK(restarts == NULL);
        n = recv(fd[0], &byte, 1, 0);
    }
    CHECK_EQ(n, 1);
    CHECK_EQ(byte, 'x');
    return NULL;
}

int main(void)
{
    CHECK_EQ(socketpair(AF_UNIX, SOCK_STREAM, 0, fd), 0);
    for (int restart = 0; restart < 2; restart++) {
        struct sigaction act = {.sa_handler = on_signal, .sa_flags = restart ? SA_RESTART : 0};
        CHECK_EQ(sigaction(SIGUSR1, &act, NULL), 0);
        pthread_t t = start(reader, restart ? &fd : NULL);
        CHECK_EQ(pthread_kill(t, SIGUSR1), 0);
        join(t);
    }
    return ok();
}
