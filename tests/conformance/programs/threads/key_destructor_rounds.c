/* conformance: pthread_key_create, pthread_setspecific */
#include "check.h"
#include <limits.h>

/* A destructor that sets the value again is called again, up to PTHREAD_DESTRUCTOR_ITERATIONS times. */
static pthread_key_t stubborn, twice, late;
static int stubborn_calls, twice_calls, late_calls;

static void on_stubborn(void *p)
{
    stubborn_calls++;
    CHECK_EQ(pthread_setspecific(stubborn, p), 0);
}

static void on_twice(void *p)
{
    if (++twice_calls < 2)
        CHECK_EQ(pthread_setspecific(twice, p), 0);
    if (twice_calls == 2)
        CHECK_EQ(pthread_setspecific(late, p), 0); /* a value set by a destructor is destroyed too */
}

static void on_late(UNUSED void *p) { late_calls++; }

static void *body(void *p)
{
    pthread_setspecific(stubborn, p);
    pthread_setspecific(twice, p);
    return p;
}

int main(void)
{
    int mark;
    CHECK_EQ(pthread_key_create(&stubborn, on_stubborn), 0);
    CHECK_EQ(pthread_key_create(&twice, on_twice), 0);
    CHECK_EQ(pthread_key_create(&late, on_late), 0);
    CHECK(join(start(body, &mark)) == &mark);
    CHECK_EQ(stubborn_calls, PTHREAD_DESTRUCTOR_ITERATIONS);
    CHECK_EQ(twice_calls, 2);
    CHECK_EQ(late_calls, 1);
    return ok();
}
