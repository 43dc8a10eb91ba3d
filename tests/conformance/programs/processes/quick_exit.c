/* conformance: quick_exit, at_quick_exit */
#include "check.h"

static char trace[4];

static void not_called(void) { check_failed(__FILE__, __LINE__, "quick_exit runs no atexit handlers"); }

static void first(void) { strcat(trace, "1"); }

static void second(void)
{
    CHECK_STR(trace, "1");
    ok();
    fflush(stdout);
}

static void *body(UNUSED void *p) { quick_exit(0); }

int main(void)
{
    CHECK_EQ(atexit(not_called), 0);
    CHECK_EQ(at_quick_exit(second), 0);
    CHECK_EQ(at_quick_exit(first), 0);
    join(start(body, NULL));
    return 1;
}
