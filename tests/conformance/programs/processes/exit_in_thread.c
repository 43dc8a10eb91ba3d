/* conformance: exit, atexit, on_exit */
#include "check.h"

/* exit from a thread ends the process although main waits for that thread; the handlers run in that thread. */
static volatile pthread_t exiting;
static volatile int first_run;

static void first(void)
{
    CHECK(pthread_equal(pthread_self(), exiting));
    first_run = 1;
}

static void second(void)
{
    CHECK_EQ(first_run, 1); /* registered last, runs first */
    ok();
}

static void *body(UNUSED void *p)
{
    exiting = pthread_self();
    exit(0);
}

int main(void)
{
    CHECK_EQ(atexit(second), 0);
    CHECK_EQ(atexit(first), 0);
    join(start(body, NULL));
    check_failed(__FILE__, __LINE__, "exit ends the process");
}
