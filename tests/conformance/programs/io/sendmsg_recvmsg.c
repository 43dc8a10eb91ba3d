/* conformance: sendmsg, recvmsg */
#include "check.h"
#include <sys/socket.h>
#include <sys/uio.h>

/* A message of two parts, with a descriptor. */
static int fd[2], passed[2];

static union {
    char bytes[CMSG_SPACE(sizeof(int))];
    struct cmsghdr align;
} out, in;

static void *sender(void *p)
{
    struct iovec pieces[] = {{"ab", 2}, {"cd", 2}};
    struct msghdr message = {.msg_iov = pieces, .msg_iovlen = 2, .msg_control = out.bytes, .msg_controllen = sizeof out};
    struct cmsghdr *head = CMSG_FIRSTHDR(&message);
    head->cmsg_level = SOL_SOCKET;
    head->cmsg_type = SCM_RIGHTS;
    head->cmsg_len = CMSG_LEN(sizeof(int));
    memcpy(CMSG_DATA(head), &passed[0], sizeof(int));
    CHECK_EQ(sendmsg(fd[0], &message, 0), 4);
    return p;
}

int main(void)
{
    char text[5] = "", byte = 0;
    int received;
    struct iovec pieces[] = {{text, 1}, {text + 1, 3}};
    struct msghdr message = {.msg_iov = pieces, .msg_iovlen = 2, .msg_control = in.bytes, .msg_controllen = sizeof in};
    CHECK_EQ(socketpair(AF_UNIX, SOCK_STREAM, 0, fd), 0);
    CHECK_EQ(pipe(passed), 0);
    pthread_t t = start(sender, NULL);
    CHECK_EQ(recvmsg(fd[1], &message, 0), 4);
    CHECK_STR(text, "abcd");
    struct cmsghdr *head = CMSG_FIRSTHDR(&message);
    CHECK(head && head->cmsg_type == SCM_RIGHTS);
    memcpy(&received, CMSG_DATA(head), sizeof received);
    CHECK(received != passed[0]);
    CHECK_EQ(write(passed[1], "x", 1), 1);
    CHECK_EQ(read(received, &byte, 1), 1);
    CHECK_EQ(byte, 'x');
    join(t);
    return ok();
}
