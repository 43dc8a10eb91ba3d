/* conformance: prctl, pthread_getname_np */
/* raddle: unseen calls */
#include "check.h"
#include <sys/prctl.h>

static void *body(void *p)
{
    char name[16];
    CHECK_EQ(prctl(PR_SET_NAME, "by prctl", 0, 0, 0), 0);
    CHECK_EQ(pthread_getname_np(pthread_self(), name, sizeof name), 0);
    CHECK_STR(name, "by prctl");
    CHECK_EQ(pthread_setname_np(pthread_self(), "by pthread"), 0);
    CHECK_EQ(prctl(PR_GET_NAME, name, 0, 0, 0), 0);
    CHECK_STR(name, "by pthread");
    return p;
}

int main(void)
{
    char name[16];
    CHECK_EQ(prctl(PR_SET_NAME, "main", 0, 0, 0), 0);
    join(start(body, NULL));
    CHECK_EQ(prctl(PR_GET_NAME, name, 0, 0, 0), 0);
    CHECK_STR(name, "main");
    return ok();
}
