/* conformance: mtx_init, mtx_lock, mtx_trylock, mtx_timedlock, mtx_unlock */
#include "check.h"
#include <threads.h>

static mtx_t m;

static int try_it(void *p)
{
    CHECK_EQ(mtx_trylock(&m), *(int *)p);
    if (*(int *)p == thrd_success)
        CHECK_EQ(mtx_unlock(&m), thrd_success);
    return 0;
}

static void expect(int result)
{
    thrd_t t;
    CHECK_EQ(thrd_create(&t, try_it, &result), thrd_success);
    CHECK_EQ(thrd_join(t, NULL), thrd_success);
}

int main(void)
{
    struct timespec past = in_ms(CLOCK_REALTIME, -1000);
    CHECK_EQ(mtx_init(&m, mtx_timed | mtx_recursive), thrd_success);
    CHECK_EQ(mtx_lock(&m), thrd_success);
    CHECK_EQ(mtx_lock(&m), thrd_success);
    CHECK_EQ(mtx_trylock(&m), thrd_success);
    CHECK_EQ(mtx_timedlock(&m, &past), thrd_success);
    for (int i = 0; i < 3; i++) {
        CHECK_EQ(mtx_unlock(&m), thrd_success);
        if (i == 2)
            expect(thrd_busy);
    }
    CHECK_EQ(mtx_unlock(&m), thrd_success);
    expect(thrd_success);
    mtx_destroy(&m);
    return ok();
}
