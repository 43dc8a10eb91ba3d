/* conformance: shutdown, recv, read */
#include "check.h"
#include <semaphore.h>
#include <sys/socket.h>

/* shutdown ends a waiting read, on the same socket and on the other end. */
static int fd[2];
static sem_t ready;

static void *reader(void *p)
{
    char byte;
    sem_post(&ready);
    CHECK_EQ(recv(fd[0], &byte, 1, 0), 0);
    return p;
}

static void wake_by(int which, int how)
{
    CHECK_EQ(socketpair(AF_UNIX, SOCK_STREAM, 0, fd), 0);
    pthread_t t = start(reader, NULL);
    sem_wait(&ready);
    CHECK_EQ(shutdown(fd[which], how), 0);
    join(t);
    CHECK_EQ(close(fd[0]), 0);
    CHECK_EQ(close(fd[1]), 0);
}

int main(void)
{
    sem_init(&ready, 0, 0);
    wake_by(0, SHUT_RD);
    wake_by(1, SHUT_WR);
    return ok();
}
