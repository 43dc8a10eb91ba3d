/* conformance: sigaltstack, sigaction, raise */
#include "check.h"
#include <signal.h>

/* Each thread has its own alternate stack, or none. */
enum { size = 64 << 10 };
static __thread char *volatile low;
static __thread volatile sig_atomic_t on_it;

static void on_signal(UNUSED int number)
{
    volatile char here = 0;
    on_it = low && (char *)&here >= low && (char *)&here < low + size;
}

static void *with(void *p)
{
    stack_t s = {.ss_sp = p, .ss_size = size}, old;
    CHECK_EQ(sigaltstack(NULL, &old), 0);
    CHECK(old.ss_flags & SS_DISABLE); /* not inherited */
    CHECK_EQ(sigaltstack(&s, NULL), 0);
    low = (char *)p;
    CHECK_EQ(raise(SIGUSR1), 0);
    CHECK_EQ(on_it, 1);
    s.ss_flags = SS_DISABLE;
    CHECK_EQ(sigaltstack(&s, &old), 0);
    CHECK(old.ss_sp == p);
    CHECK_EQ(raise(SIGUSR1), 0);
    CHECK_EQ(on_it, 0);
    return p;
}

int main(void)
{
    static char stacks[2][size];
    struct sigaction act = {.sa_handler = on_signal, .sa_flags = SA_ONSTACK};
    CHECK_EQ(sigaction(SIGUSR1, &act, NULL), 0);
    pthread_t a = start(with, stacks[0]), b = start(with, stacks[1]);
    join(a);
    join(b);
    CHECK_EQ(raise(SIGUSR1), 0);
    CHECK_EQ(on_it, 0);
    return ok();
}
