/* conformance: exit, on_exit, _exit */
#include "check.h"

/* The handlers receive the status, and a handler may end the process with another status. */
static int mark;

static void handler(int status, void *p)
{
    CHECK_EQ(status, 7);
    CHECK(p == &mark);
    ok();
    fflush(stdout);
    _exit(0);
}

static void *body(UNUSED void *p) { exit(7); }

int main(void)
{
    CHECK_EQ(on_exit(handler, &mark), 0);
    join(start(body, NULL));
    return 1;
}
