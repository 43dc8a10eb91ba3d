/* conformance: pthread_create, pthread_join, pthread_once */
#include "check.h"

/* Threads run before main. */
static int ran;

static void *work(void *p)
{
    ran++;
    return p;
}

__attribute__((constructor)) static void before_main(void) { join(start(work, NULL)); }

int main(void)
{
    CHECK_EQ(ran, 1);
    join(start(work, NULL));
    CHECK_EQ(ran, 2);
    return ok();
}
