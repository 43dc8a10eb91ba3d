/* conformance: pthread_attr_setstack, pthread_attr_getstack, pthread_getattr_np */
#include "check.h"

static _Alignas(4096) char stack[256 << 10];

static void *body(void *p)
{
    volatile char local[64 << 10];
    pthread_attr_t attr;
    void *base;
    size_t size;
    local[0] = 1;
    CHECK((char *)local >= stack && (char *)local + sizeof local <= stack + sizeof stack);
    CHECK_EQ(pthread_getattr_np(pthread_self(), &attr), 0);
    CHECK_EQ(pthread_attr_getstack(&attr, &base, &size), 0);
    CHECK(base == stack);
    CHECK_EQ(size, sizeof stack);
    pthread_attr_destroy(&attr);
    return p;
}

int main(void)
{
    pthread_attr_t attr;
    pthread_t t;
    void *base;
    size_t size;
    CHECK_EQ(pthread_attr_init(&attr), 0);
    CHECK_EQ(pthread_attr_setstack(&attr, stack, 16), EINVAL);
    CHECK_EQ(pthread_attr_setstack(&attr, stack, sizeof stack), 0);
    CHECK_EQ(pthread_attr_getstack(&attr, &base, &size), 0);
    CHECK(base == stack);
    CHECK_EQ(size, sizeof stack);
    for (int i = 0; i < 2; i++) { /* after the join, the stack can be used again */
        CHECK_EQ(pthread_create(&t, &attr, body, NULL), 0);
        join(t);
    }
    CHECK_EQ(pthread_attr_destroy(&attr), 0);
    return ok();
}
