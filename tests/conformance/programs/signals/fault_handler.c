/* conformance: sigaction, siglongjmp, sigsetjmp */
#include "check.h"
#include <setjmp.h>
#include <signal.h>

/* The handler of a fault runs in the faulting thread, and may jump out of the handler. */
static __thread sigjmp_buf out;
static char *volatile nowhere;

static void on_fault(UNUSED int number, siginfo_t *info, UNUSED void *context)
{
    if (info->si_addr != NULL)
        _exit(1);
    siglongjmp(out, 5);
}

static void *body(void *p)
{
    int came_by = sigsetjmp(out, 1);
    if (came_by == 0)
        *nowhere = 1;
    CHECK_EQ(came_by, 5);
    *(int *)p = 1;
    return p;
}

int main(void)
{
    int survived[2] = {0, 0};
    struct sigaction act = {.sa_sigaction = on_fault, .sa_flags = SA_SIGINFO};
    CHECK_EQ(sigaction(SIGSEGV, &act, NULL), 0);
    pthread_t a = start(body, &survived[0]), b = start(body, &survived[1]);
    join(a);
    join(b);
    CHECK_EQ(survived[0] + survived[1], 2);
    return ok();
}
