/* conformance: mtx_init, mtx_lock, mtx_trylock, mtx_unlock, mtx_destroy */
#include "check.h"
#include <threads.h>

static mtx_t m;
static int count;

static int twice(UNUSED void *p)
{
    for (int i = 0; i < 2; i++) {
        CHECK_EQ(mtx_lock(&m), thrd_success);
        CHECK_EQ(mtx_trylock(&m), thrd_busy);
        count++;
        CHECK_EQ(mtx_unlock(&m), thrd_success);
    }
    return 0;
}

int main(void)
{
    thrd_t a, b;
    CHECK_EQ(mtx_init(&m, mtx_plain), thrd_success);
    CHECK_EQ(thrd_create(&a, twice, NULL), thrd_success);
    CHECK_EQ(thrd_create(&b, twice, NULL), thrd_success);
    CHECK_EQ(thrd_join(a, NULL), thrd_success);
    CHECK_EQ(thrd_join(b, NULL), thrd_success);
    CHECK_EQ(count, 4);
    CHECK_EQ(mtx_trylock(&m), thrd_success);
    CHECK_EQ(mtx_unlock(&m), thrd_success);
    mtx_destroy(&m);
    return ok();
}
