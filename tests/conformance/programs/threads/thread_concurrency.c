/* conformance: pthread_getconcurrency, pthread_setconcurrency */
#include "check.h"

static void *body(void *p)
{
    CHECK_EQ(pthread_getconcurrency(), 2);
    return p;
}

int main(void)
{
    CHECK_EQ(pthread_getconcurrency(), 0);
    CHECK_EQ(pthread_setconcurrency(-1), EINVAL);
    CHECK_EQ(pthread_setconcurrency(2), 0);
    join(start(body, NULL));
    CHECK_EQ(pthread_setconcurrency(0), 0);
    return ok();
}
