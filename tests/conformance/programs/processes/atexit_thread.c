/* conformance: atexit, pthread_create, pthread_join */
#include "check.h"

/* An exit handler may start a thread; a destructor function runs after it. */
static int ran;

static void *work(void *p)
{
    ran = 1;
    return p;
}

static void handler(void) { join(start(work, NULL)); }

__attribute__((destructor)) static void at_unload(void)
{
    CHECK_EQ(ran, 1);
    ok();
    fflush(stdout);
}

int main(void)
{
    CHECK_EQ(atexit(handler), 0);
    return 0;
}
