/* conformance: pthread_join */
/* raddle: misuse */
#include "check.h"

/* Undefined in POSIX, an error code in glibc; a tool may report misuse instead. */
static void *self_join(void *p)
{
    CHECK_EQ(pthread_join(pthread_self(), NULL), EDEADLK);
    return p;
}

int main(void)
{
    CHECK_EQ(pthread_join(pthread_self(), NULL), EDEADLK);
    CHECK(join(start(self_join, NULL)) == NULL);
    return ok();
}
