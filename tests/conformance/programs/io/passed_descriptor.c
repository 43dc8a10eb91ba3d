/* conformance: sendmsg, recvmsg with SCM_RIGHTS: the pipe stays one object */
#include "check.h"
#include <sys/socket.h>

static int way[2];

static void *receiver(void *p)
{
    union {
        struct cmsghdr head;
        char space[CMSG_SPACE(sizeof(int))];
    } control;
    char byte;
    struct iovec piece = {&byte, 1};
    struct msghdr message = {0};
    message.msg_iov = &piece;
    message.msg_iovlen = 1;
    message.msg_control = &control;
    message.msg_controllen = sizeof control;
    CHECK_EQ(recvmsg(way[1], &message, 0), 1);
    struct cmsghdr *part = CMSG_FIRSTHDR(&message);
    CHECK(part != NULL && part->cmsg_type == SCM_RIGHTS);
    int fd;
    memcpy(&fd, CMSG_DATA(part), sizeof fd);
    CHECK_EQ(write(fd, "x", 1), 1);
    CHECK_EQ(close(fd), 0); /* the last end for writing */
    return p;
}

int main(void)
{
    int ends[2];
    union {
        struct cmsghdr head;
        char space[CMSG_SPACE(sizeof(int))];
    } control;
    char byte = 'm';
    struct iovec piece = {&byte, 1};
    struct msghdr message = {0};
    CHECK_EQ(socketpair(AF_UNIX, SOCK_STREAM, 0, way), 0);
    CHECK_EQ(pipe(ends), 0);
    pthread_t t = start(receiver, NULL);
    message.msg_iov = &piece;
    message.msg_iovlen = 1;
    message.msg_control = &control;
    message.msg_controllen = sizeof control;
    struct cmsghdr *part = CMSG_FIRSTHDR(&message);
    part->cmsg_level = SOL_SOCKET;
    part->cmsg_type = SCM_RIGHTS;
    part->cmsg_len = CMSG_LEN(sizeof(int));
    memcpy(CMSG_DATA(part), &ends[1], sizeof(int));
    CHECK_EQ(sendmsg(way[0], &message, 0), 1);
    CHECK_EQ(close(ends[1]), 0); /* the message holds it */
    CHECK_EQ(read(ends[0], &byte, 1), 1);
    CHECK_EQ(byte, 'x');
    CHECK_EQ(read(ends[0], &byte, 1), 0);
    join(t);
    return ok();
}
