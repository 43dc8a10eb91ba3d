/* conformance: send, recv, sendto, recvfrom */
#include "check.h"
#include <sys/socket.h>

/* Datagrams keep their boundaries and, from one sender, their order. */
static int fd[2];

static void *sender(void *p)
{
    CHECK_EQ(send(fd[0], "one", 3, 0), 3);
    CHECK_EQ(sendto(fd[0], "three", 5, 0, NULL, 0), 5);
    return p;
}

int main(void)
{
    char text[16] = "";
    CHECK_EQ(socketpair(AF_UNIX, SOCK_DGRAM, 0, fd), 0);
    pthread_t t = start(sender, NULL);
    CHECK_EQ(recv(fd[1], text, sizeof text, 0), 3);
    CHECK(memcmp(text, "one", 3) == 0);
    CHECK_EQ(recvfrom(fd[1], text, sizeof text, 0, NULL, NULL), 5);
    CHECK(memcmp(text, "three", 5) == 0);
    join(t);
    return ok();
}
