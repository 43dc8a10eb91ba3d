/* conformance: setjmp, longjmp, sigsetjmp, siglongjmp */
#include "check.h"
#include <setjmp.h>

/* Jumps within a thread, with a switch to the other thread between setjmp and longjmp. */
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void deep(jmp_buf out, int levels)
{
    volatile char room[256];
    room[0] = (char)levels;
    if (levels == 0) {
        pthread_mutex_lock(&m);
        pthread_mutex_unlock(&m);
        longjmp(out, 3);
    }
    if (levels > 0)
        deep(out, levels - 1);
    room[1] = room[0];
}

static void *body(void *p)
{
    jmp_buf out;
    volatile int times = 0;
    int came_by = setjmp(out);
    times++;
    if (came_by == 0)
        deep(out, 5);
    CHECK_EQ(came_by, 3);
    CHECK_EQ(times, 2);
    return p;
}

int main(void)
{
    pthread_t a = start(body, NULL), b = start(body, NULL);
    join(a);
    join(b);
    return ok();
}
