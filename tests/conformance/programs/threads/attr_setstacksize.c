/* conformance: pthread_attr_setstacksize, pthread_attr_getstacksize, pthread_getattr_np */
#include "check.h"
#include <limits.h>

enum { size = 2 << 20 };

static void *uses_its_stack(void *p)
{
    pthread_attr_t attr;
    size_t got;
    CHECK_EQ(pthread_getattr_np(pthread_self(), &attr), 0);
    CHECK_EQ(pthread_attr_getstacksize(&attr, &got), 0);
    CHECK(got >= size);
    pthread_attr_destroy(&attr);
    volatile char big[size - (256 << 10)];
    for (size_t i = 0; i < sizeof big; i += 4096)
        big[i] = (char)(i >> 12);
    for (size_t i = 0; i < sizeof big; i += 4096)
        CHECK_EQ(big[i], (char)(i >> 12));
    return p;
}

int main(void)
{
    pthread_attr_t attr;
    pthread_t t;
    size_t got;
    CHECK_EQ(pthread_attr_init(&attr), 0);
    CHECK_EQ(pthread_attr_getstacksize(&attr, &got), 0);
    CHECK(got >= (size_t)PTHREAD_STACK_MIN);
    CHECK_EQ(pthread_attr_setstacksize(&attr, 16), EINVAL);
    CHECK_EQ(pthread_attr_setstacksize(&attr, size), 0);
    CHECK_EQ(pthread_attr_getstacksize(&attr, &got), 0);
    CHECK_EQ(got, size);
    CHECK_EQ(pthread_create(&t, &attr, uses_its_stack, NULL), 0);
    CHECK_EQ(pthread_attr_destroy(&attr), 0); /* no longer needed by the running thread */
    join(t);
    return ok();
}
