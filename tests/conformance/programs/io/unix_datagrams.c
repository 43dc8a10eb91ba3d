/* conformance: socket, bind, sendto, recvfrom, connect with SOCK_DGRAM in one process */
#include "check.h"
#include <sys/socket.h>
#include <sys/un.h>

static int receiver;
static struct sockaddr_un address = {AF_UNIX, "\0conformance-datagrams"};
static const socklen_t length = sizeof(sa_family_t) + 22;

static void *sender(void *p)
{
    int fd = socket(AF_UNIX, SOCK_DGRAM, 0);
    CHECK(fd >= 0);
    CHECK_EQ(sendto(fd, "ab", 2, 0, (struct sockaddr *)&address, length), 2);
    CHECK_EQ(connect(fd, (struct sockaddr *)&address, length), 0);
    CHECK_EQ(send(fd, "c", 1, 0), 1);
    return p;
}

int main(void)
{
    char text[8];
    CHECK((receiver = socket(AF_UNIX, SOCK_DGRAM, 0)) >= 0);
    CHECK_EQ(bind(receiver, (struct sockaddr *)&address, length), 0);
    CHECK_ERRNO(recv(receiver, text, sizeof text, MSG_DONTWAIT), EAGAIN);
    pthread_t t = start(sender, NULL);
    CHECK_EQ(recv(receiver, text, sizeof text, 0), 2); /* a message keeps its bounds */
    CHECK_EQ(recv(receiver, text, sizeof text, 0), 1);
    CHECK_EQ(text[0], 'c');
    join(t);
    return ok();
}
