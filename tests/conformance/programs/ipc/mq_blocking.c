/* conformance: mq_open, mq_send, mq_receive, mq_getattr, mq_close, mq_unlink */
#include "check.h"
#include <fcntl.h>
#include <mqueue.h>

static mqd_t queue;

static void *sender(void *p)
{
    CHECK_EQ(mq_send(queue, "a", 1, 1), 0);
    CHECK_EQ(mq_send(queue, "b", 1, 2), 0); /* waits for room */
    return p;
}

int main(void)
{
    struct mq_attr attributes = {0}, found;
    attributes.mq_maxmsg = 1;
    attributes.mq_msgsize = 4;
    CHECK((queue = mq_open("/conformance-blocking", O_RDWR | O_CREAT | O_EXCL, 0600, &attributes)) >= 0);
    CHECK_ERRNO(mq_open("/conformance-blocking", O_RDWR | O_CREAT | O_EXCL, 0600, &attributes), EEXIST);
    CHECK_EQ(mq_getattr(queue, &found), 0);
    CHECK_EQ(found.mq_maxmsg, 1);
    CHECK_EQ(found.mq_curmsgs, 0);
    pthread_t t = start(sender, NULL);
    char text[4];
    unsigned priority = 0;
    CHECK_EQ(mq_receive(queue, text, sizeof text, &priority), 1);
    CHECK_EQ(text[0], 'a');
    CHECK_EQ(priority, 1);
    CHECK_EQ(mq_receive(queue, text, sizeof text, NULL), 1);
    CHECK_EQ(text[0], 'b');
    join(t);
    CHECK_EQ(mq_unlink("/conformance-blocking"), 0);
    CHECK_ERRNO(mq_open("/conformance-blocking", O_RDWR), ENOENT);
    CHECK_ERRNO(mq_unlink("/conformance-blocking"), ENOENT);
    CHECK_EQ(mq_close(queue), 0);
    CHECK_ERRNO(mq_send(queue, "c", 1, 0), EBADF);
    return ok();
}
