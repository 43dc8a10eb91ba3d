/* conformance: thrd_create, thrd_join, thrd_current, thrd_equal, thrd_exit, thrd_yield */
#include "check.h"
#include <threads.h>

static thrd_t seen;

static int by_return(void *p)
{
    seen = thrd_current();
    CHECK(thrd_equal(thrd_current(), seen));
    thrd_yield();
    return *(int *)p + 1;
}

static int by_exit(void *p)
{
    thrd_exit(*(int *)p + 2);
}

int main(void)
{
    thrd_t a, b;
    int value = 40, result = 0;
    CHECK_EQ(thrd_create(&a, by_return, &value), thrd_success);
    CHECK(!thrd_equal(a, thrd_current()));
    CHECK_EQ(thrd_create(&b, by_exit, &value), thrd_success);
    CHECK_EQ(thrd_join(a, &result), thrd_success);
    CHECK_EQ(result, 41);
    CHECK(thrd_equal(a, seen));
    CHECK_EQ(thrd_join(b, &result), thrd_success);
    CHECK_EQ(result, 42);
    return ok();
}
