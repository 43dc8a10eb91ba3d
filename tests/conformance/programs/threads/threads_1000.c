/* conformance: pthread_create, pthread_join */
#include "check.h"

/* One thread after another: the join releases all resources of a thread. */
static void *body(void *p)
{
    volatile char room[16 << 10];
    room[0] = 1;
    *(int *)p += room[0];
    return p;
}

int main(void)
{
    int count = 0;
    for (int i = 0; i < 1000; i++)
        CHECK(join(start(body, &count)) == &count);
    CHECK_EQ(count, 1000);
    return ok();
}
