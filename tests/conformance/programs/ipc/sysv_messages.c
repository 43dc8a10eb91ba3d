/* conformance: msgget, msgsnd, msgrcv, msgctl */
#include "check.h"
#include <sys/msg.h>

struct letter {
    long type;
    char text[8];
};
static int list;

static void *sender(void *p)
{
    struct letter one = {2, "two"}, other = {1, "one"};
    CHECK_EQ(msgsnd(list, &one, 4, 0), 0);
    CHECK_EQ(msgsnd(list, &other, 4, 0), 0);
    return p;
}

int main(void)
{
    struct letter got;
    struct msqid_ds state;
    CHECK((list = msgget(IPC_PRIVATE, IPC_CREAT | 0600)) >= 0);
    CHECK_ERRNO(msgrcv(list, &got, sizeof got.text, 0, IPC_NOWAIT), ENOMSG);
    pthread_t t = start(sender, NULL);
    CHECK_EQ(msgrcv(list, &got, sizeof got.text, 1, 0), 4); /* waits for a message of type 1 */
    CHECK_STR(got.text, "one");
    CHECK_EQ(msgctl(list, IPC_STAT, &state), 0);
    CHECK_EQ(state.msg_qnum, 1);
    CHECK_ERRNO(msgrcv(list, &got, 1, -5, 0), E2BIG);
    CHECK_EQ(msgrcv(list, &got, 2, -5, MSG_NOERROR), 2);
    CHECK_EQ(got.type, 2);
    join(t);
    got.type = 0;
    CHECK_ERRNO(msgsnd(list, &got, 1, 0), EINVAL);
    CHECK_EQ(msgctl(list, IPC_RMID, NULL), 0);
    CHECK_ERRNO(msgrcv(list, &got, 1, 0, 0), EINVAL);
    return ok();
}
