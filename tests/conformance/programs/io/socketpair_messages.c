/* conformance: socketpair with SOCK_SEQPACKET and SOCK_DGRAM */
#include "check.h"
#include <sys/socket.h>

static int seq[2], dgram[2];

static void *sender(void *p)
{
    CHECK_EQ(send(seq[1], "abc", 3, 0), 3);
    CHECK_EQ(send(seq[1], "d", 1, 0), 1);
    CHECK_EQ(close(seq[1]), 0);
    CHECK_EQ(send(dgram[1], "xy", 2, 0), 2);
    return p;
}

int main(void)
{
    char text[8];
    CHECK_EQ(socketpair(AF_UNIX, SOCK_SEQPACKET, 0, seq), 0);
    CHECK_EQ(socketpair(AF_UNIX, SOCK_DGRAM, 0, dgram), 0);
    pthread_t t = start(sender, NULL);
    CHECK_EQ(recv(seq[0], text, 2, 0), 2); /* the rest of the message is lost */
    CHECK_EQ(recv(seq[0], text, sizeof text, 0), 1);
    CHECK_EQ(recv(seq[0], text, sizeof text, 0), 0);
    CHECK_EQ(recv(dgram[0], text, sizeof text, 0), 2);
    join(t);
    return ok();
}
