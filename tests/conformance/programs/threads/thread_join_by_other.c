/* conformance: pthread_join */
#include "check.h"

/* Any thread may join a thread, not only its creator. */
static pthread_t first;
static int value;

static void *work(void *p)
{
    value = 7;
    return p;
}

static void *joiner(UNUSED void *p)
{
    CHECK(join(first) == &value);
    return &first;
}

int main(void)
{
    first = start(work, &value);
    CHECK(join(start(joiner, NULL)) == &first);
    CHECK_EQ(value, 7);
    return ok();
}
