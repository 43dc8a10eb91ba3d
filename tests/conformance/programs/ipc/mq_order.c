/* conformance: mq_send, mq_timedsend, mq_receive, mq_timedreceive, mq_setattr */
#include "check.h"
#include <fcntl.h>
#include <mqueue.h>
#include <poll.h>

int main(void)
{
    struct mq_attr attributes = {0}, nonblocking = {0}, old;
    attributes.mq_maxmsg = 3;
    attributes.mq_msgsize = 4;
    nonblocking.mq_flags = O_NONBLOCK;
    mqd_t queue = mq_open("/conformance-order", O_RDWR | O_CREAT, 0600, &attributes);
    CHECK(queue >= 0);
    mqd_t reader = mq_open("/conformance-order", O_RDONLY);
    CHECK(reader >= 0);
    char text[4];
    unsigned priority;
    struct pollfd ready = {reader, POLLIN, 0};
    CHECK_EQ(poll(&ready, 1, 0), 0);
    CHECK_EQ(mq_send(queue, "a", 1, 3), 0);
    CHECK_EQ(mq_send(queue, "b", 1, 7), 0);
    CHECK_EQ(mq_send(queue, "", 0, 3), 0);
    CHECK_EQ(poll(&ready, 1, 0), 1);
    struct timespec soon = in_ms(CLOCK_REALTIME, 10);
    CHECK_ERRNO(mq_timedsend(queue, "d", 1, 0, &soon), ETIMEDOUT);
    CHECK_ERRNO(mq_send(queue, "too long", 8, 0), EMSGSIZE);
    CHECK_ERRNO(mq_receive(reader, text, 2, NULL), EMSGSIZE);
    CHECK_ERRNO(mq_send(reader, "x", 1, 0), EBADF);
    /* the highest priority first, then the oldest */
    CHECK_EQ(mq_receive(reader, text, sizeof text, &priority), 1);
    CHECK_EQ(priority, 7);
    CHECK_EQ(text[0], 'b');
    CHECK_EQ(mq_receive(reader, text, sizeof text, &priority), 1);
    CHECK_EQ(text[0], 'a');
    CHECK_EQ(mq_receive(reader, text, sizeof text, &priority), 0);
    soon = in_ms(CLOCK_REALTIME, 10);
    CHECK_ERRNO(mq_timedreceive(reader, text, sizeof text, NULL, &soon), ETIMEDOUT);
    CHECK_EQ(mq_setattr(queue, &nonblocking, &old), 0);
    CHECK_EQ(old.mq_flags, 0);
    CHECK_ERRNO(mq_receive(queue, text, sizeof text, NULL), EAGAIN);
    CHECK_EQ(mq_close(reader), 0);
    CHECK_EQ(mq_unlink("/conformance-order"), 0);
    return ok();
}
