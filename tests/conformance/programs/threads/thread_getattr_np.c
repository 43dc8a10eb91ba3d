/* conformance: pthread_getattr_np, pthread_attr_getstack, pthread_attr_getdetachstate */
#include "check.h"

static void stack_holds_a_local(void)
{
    pthread_attr_t attr;
    void *base;
    size_t size;
    int state;
    CHECK_EQ(pthread_getattr_np(pthread_self(), &attr), 0);
    CHECK_EQ(pthread_attr_getstack(&attr, &base, &size), 0);
    CHECK((char *)base <= (char *)&attr && (char *)(&attr + 1) <= (char *)base + size);
    CHECK_EQ(pthread_attr_getdetachstate(&attr, &state), 0);
    CHECK_EQ(state, PTHREAD_CREATE_JOINABLE);
    CHECK_EQ(pthread_attr_destroy(&attr), 0);
}

static void *body(void *p)
{
    stack_holds_a_local();
    return p;
}

int main(void)
{
    stack_holds_a_local();
    pthread_t a = start(body, NULL), b = start(body, NULL);
    join(a);
    join(b);
    stack_holds_a_local();
    return ok();
}
