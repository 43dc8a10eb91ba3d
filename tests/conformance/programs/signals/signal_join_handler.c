/* conformance: pthread_join, pthread_kill */
#include "signal_interrupts.h"

/* A handler runs in a thread that waits in pthread_join; the join continues until the other thread has ended. */
static pthread_t first;

static void *body(void *p)
{
    interrupt(first);
    return p;
}

int main(void)
{
    handle_signals(0);
    first = pthread_self();
    pthread_t t = start(body, &first);
    CHECK(join(t) == &first);
    CHECK_EQ(handled, 1);
    return ok();
}
