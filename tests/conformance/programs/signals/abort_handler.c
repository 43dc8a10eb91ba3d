/* conformance: abort, signal */
#include "check.h"
#include <signal.h>

/* abort in a thread: the handler runs in that thread, and may end the process itself. */
static volatile pthread_t aborting;

static void on_abort(int number)
{
    if (number != SIGABRT || !pthread_equal(pthread_self(), aborting))
        _exit(1);
    _exit(write(1, "ok\n", 3) == 3 ? 0 : 1);
}

static void *body(UNUSED void *p)
{
    aborting = pthread_self();
    abort();
}

int main(void)
{
    CHECK(signal(SIGABRT, on_abort) != SIG_ERR);
    join(start(body, NULL));
    return 1;
}
