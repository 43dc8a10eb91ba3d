/* conformance: pthread_create, pthread_join */
#include "check.h"

/* Each thread starts the next one; main joins the innermost. */
static pthread_t innermost;

static void *inner(void *p) { return p; }

static void *middle(void *p)
{
    innermost = start(inner, p);
    return &innermost;
}

int main(void)
{
    int mark;
    CHECK(join(start(middle, &mark)) == &innermost);
    CHECK(join(innermost) == &mark);
    return ok();
}
