/* conformance: pthread_exit, pthread_join */
#include "check.h"

static int mark;

static void leave(void *p) { pthread_exit(p); }

static void *body(void *p)
{
    leave(p); /* from a function called by the start function */
    check_failed(__FILE__, __LINE__, "pthread_exit does not return");
}

int main(void)
{
    CHECK(join(start(body, &mark)) == &mark);
    CHECK(join(start(body, NULL)) == NULL);
    CHECK(join(start(body, (void *)-3)) == (void *)-3);
    return ok();
}
