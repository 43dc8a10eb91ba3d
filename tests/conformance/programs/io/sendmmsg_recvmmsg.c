/* conformance: sendmmsg, recvmmsg */
/* raddle: unseen calls */
#include "check.h"
#include <sys/socket.h>
#include <sys/uio.h>

static int fd[2];

static void *sender(void *p)
{
    struct iovec pieces[] = {{"a", 1}, {"bc", 2}};
    struct mmsghdr messages[] = {{.msg_hdr = {.msg_iov = &pieces[0], .msg_iovlen = 1}}, {.msg_hdr = {.msg_iov = &pieces[1], .msg_iovlen = 1}}};
    CHECK_EQ(sendmmsg(fd[0], messages, 2, 0), 2);
    CHECK_EQ(messages[1].msg_len, 2);
    return p;
}

int main(void)
{
    char text[2][8] = {"", ""};
    struct iovec pieces[] = {{text[0], 8}, {text[1], 8}};
    struct mmsghdr messages[] = {{.msg_hdr = {.msg_iov = &pieces[0], .msg_iovlen = 1}}, {.msg_hdr = {.msg_iov = &pieces[1], .msg_iovlen = 1}}};
    CHECK_EQ(socketpair(AF_UNIX, SOCK_DGRAM, 0, fd), 0);
    pthread_t t = start(sender, NULL);
    for (int have = 0; have < 2;) {
        int n = recvmmsg(fd[1], messages + have, (unsigned)(2 - have), MSG_WAITFORONE, NULL);
        CHECK(n >= 1);
        have += n;
    }
    CHECK_STR(text[0], "a");
    CHECK_STR(text[1], "bc");
    join(t);
    return ok();
}
