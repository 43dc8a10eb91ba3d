/* conformance: msgsnd waits for room, msgctl with IPC_SET */
#include "check.h"
#include <sys/msg.h>

struct letter {
    long type;
    char text[8];
};
static int list;

static void *receiver(void *p)
{
    struct letter got;
    CHECK_EQ(msgrcv(list, &got, sizeof got.text, 0, 0), 8);
    return p;
}

int main(void)
{
    struct letter one = {1, "eight.."};
    struct msqid_ds state;
    CHECK((list = msgget(IPC_PRIVATE, 0600)) >= 0);
    CHECK_EQ(msgctl(list, IPC_STAT, &state), 0);
    state.msg_qbytes = 8;
    CHECK_EQ(msgctl(list, IPC_SET, &state), 0);
    CHECK_EQ(msgsnd(list, &one, 8, 0), 0);
    CHECK_ERRNO(msgsnd(list, &one, 8, IPC_NOWAIT), EAGAIN);
    pthread_t t = start(receiver, NULL);
    CHECK_EQ(msgsnd(list, &one, 8, 0), 0);
    join(t);
    CHECK_EQ(msgctl(list, IPC_RMID, NULL), 0);
    return ok();
}
