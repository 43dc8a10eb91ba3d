/* conformance: cnd_init, cnd_wait, cnd_signal, cnd_broadcast, cnd_timedwait, cnd_destroy */
#include "check.h"
#include <threads.h>

static mtx_t m;
static cnd_t c;
static int go, woken;

static int waiter(UNUSED void *p)
{
    mtx_lock(&m);
    while (!go)
        CHECK_EQ(cnd_wait(&c, &m), thrd_success);
    woken++;
    mtx_unlock(&m);
    return 0;
}

int main(void)
{
    thrd_t a, b;
    int r;
    CHECK_EQ(mtx_init(&m, mtx_plain), thrd_success);
    CHECK_EQ(cnd_init(&c), thrd_success);
    struct timespec soon = in_ms(CLOCK_REALTIME, 10);
    mtx_lock(&m);
    while ((r = cnd_timedwait(&c, &m, &soon)) == thrd_success)
        ;
    CHECK_EQ(r, thrd_timedout);
    mtx_unlock(&m);
    CHECK_EQ(thrd_create(&a, waiter, NULL), thrd_success);
    CHECK_EQ(thrd_create(&b, waiter, NULL), thrd_success);
    mtx_lock(&m);
    go = 1;
    CHECK_EQ(cnd_broadcast(&c), thrd_success);
    mtx_unlock(&m);
    CHECK_EQ(thrd_join(a, NULL), thrd_success);
    CHECK_EQ(thrd_join(b, NULL), thrd_success);
    CHECK_EQ(woken, 2);
    CHECK_EQ(cnd_signal(&c), thrd_success);
    cnd_destroy(&c);
    mtx_destroy(&m);
    return ok();
}
