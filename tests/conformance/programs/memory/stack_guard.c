/* conformance: pthread_create, sigaltstack, sigaction */
#include "check.h"
#include <signal.h>

/* A thread that overflows its stack hits the guard page; the handler runs in that thread. */
static volatile pthread_t overrunning;

static void on_segv(UNUSED int signal)
{
    if (!pthread_equal(pthread_self(), overrunning))
        _exit(1);
    _exit(write(1, "ok\n", 3) == 3 ? 0 : 1);
}

static int deeper(volatile char *above)
{
    volatile char here[1024];
    here[0] = above[0];
    if (above[0] == 1) /* never true */
        return 0;
    return deeper(here) + here[0];
}

static void *body(UNUSED void *p)
{
    static char alternate[64 << 10];
    stack_t s = {.ss_sp = alternate, .ss_size = sizeof alternate};
    char first = 0;
    overrunning = pthread_self();
    CHECK_EQ(sigaltstack(&s, NULL), 0);
    return (void *)(long)deeper(&first);
}

int main(void)
{
    struct sigaction act = {.sa_handler = on_segv, .sa_flags = SA_ONSTACK};
    pthread_attr_t attr;
    pthread_t t;
    CHECK_EQ(sigaction(SIGSEGV, &act, NULL), 0);
    pthread_attr_init(&attr);
    pthread_attr_setstacksize(&attr, 256 << 10);
    CHECK_EQ(pthread_create(&t, &attr, body, NULL), 0);
    join(t);
    check_failed(__FILE__, __LINE__, "the overrun is noticed");
}
