/* conformance: pthread_getattr_default_np, pthread_setattr_default_np */
#include "check.h"

enum { size = 1 << 20 };

static void *body(void *p)
{
    pthread_attr_t attr;
    size_t got;
    CHECK_EQ(pthread_getattr_np(pthread_self(), &attr), 0);
    CHECK_EQ(pthread_attr_getstacksize(&attr, &got), 0);
    CHECK_EQ(got, size);
    pthread_attr_destroy(&attr);
    return p;
}

int main(void)
{
    pthread_attr_t attr;
    CHECK_EQ(pthread_getattr_default_np(&attr), 0);
    CHECK_EQ(pthread_attr_setstacksize(&attr, size), 0);
    CHECK_EQ(pthread_setattr_default_np(&attr), 0);
    CHECK_EQ(pthread_attr_destroy(&attr), 0);
    join(start(body, NULL));
    return ok();
}
