/* conformance: getcontext, makecontext, swapcontext */
#include "check.h"
#include <ucontext.h>

/* The program switches between its own coroutines inside its threads. */
static __thread ucontext_t outside, inside;
static __thread int step;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void coroutine(void)
{
    step = 1;
    swapcontext(&inside, &outside);
    pthread_mutex_lock(&m); /* a synchronising call on the coroutine's stack */
    step = 2;
    pthread_mutex_unlock(&m);
}

static void *body(void *p)
{
    CHECK_EQ(getcontext(&inside), 0);
    inside.uc_stack.ss_sp = p;
    inside.uc_stack.ss_size = 64 << 10;
    inside.uc_link = &outside;
    makecontext(&inside, coroutine, 0);
    CHECK_EQ(swapcontext(&outside, &inside), 0);
    CHECK_EQ(step, 1);
    CHECK_EQ(swapcontext(&outside, &inside), 0);
    CHECK_EQ(step, 2);
    return p;
}

int main(void)
{
    static _Alignas(16) char stacks[2][64 << 10];
    pthread_t a = start(body, stacks[0]), b = start(body, stacks[1]);
    join(a);
    join(b);
    return ok();
}
