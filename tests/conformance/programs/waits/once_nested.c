/* conformance: pthread_once */
#include "check.h"

/* An init function may call pthread_once with another control. */
static pthread_once_t outer_control = PTHREAD_ONCE_INIT, inner_control = PTHREAD_ONCE_INIT;
static int outer_runs, inner_runs;

static void inner(void) { inner_runs++; }

static void outer(void)
{
    CHECK_EQ(pthread_once(&inner_control, inner), 0);
    CHECK_EQ(inner_runs, 1);
    outer_runs++;
}

static void *from_outside(void *p)
{
    CHECK_EQ(pthread_once(&outer_control, outer), 0);
    CHECK_EQ(outer_runs, 1);
    return p;
}

static void *from_inside(void *p)
{
    CHECK_EQ(pthread_once(&inner_control, inner), 0);
    CHECK_EQ(inner_runs, 1);
    return from_outside(p);
}

int main(void)
{
    pthread_t a = start(from_outside, NULL), b = start(from_inside, NULL);
    join(a);
    join(b);
    CHECK_EQ(outer_runs, 1);
    CHECK_EQ(inner_runs, 1);
    return ok();
}
