/* conformance: mtx_init, mtx_timedlock */
#include "check.h"
#include <threads.h>

static mtx_t m;

static int while_taken(UNUSED void *p)
{
    struct timespec soon = in_ms(CLOCK_REALTIME, 10), past = in_ms(CLOCK_REALTIME, -1000);
    CHECK_EQ(mtx_timedlock(&m, &soon), thrd_timedout);
    CHECK_EQ(mtx_timedlock(&m, &past), thrd_timedout);
    CHECK_EQ(mtx_trylock(&m), thrd_busy);
    return 0;
}

int main(void)
{
    thrd_t t;
    struct timespec past = in_ms(CLOCK_REALTIME, -1000);
    CHECK_EQ(mtx_init(&m, mtx_timed), thrd_success);
    CHECK_EQ(mtx_timedlock(&m, &past), thrd_success); /* not locked: no wait */
    CHECK_EQ(thrd_create(&t, while_taken, NULL), thrd_success);
    CHECK_EQ(thrd_join(t, NULL), thrd_success);
    CHECK_EQ(mtx_unlock(&m), thrd_success);
    mtx_destroy(&m);
    return ok();
}
