/* conformance: tss_create, tss_set, tss_get, tss_delete */
#include "check.h"
#include <threads.h>

static tss_t key;
static mtx_t m;
static int sum;

static void destroy(void *p)
{
    mtx_lock(&m);
    sum += *(int *)p;
    mtx_unlock(&m);
}

static int body(void *p)
{
    CHECK(tss_get(key) == NULL);
    CHECK_EQ(tss_set(key, p), thrd_success);
    CHECK(tss_get(key) == p);
    return 0;
}

int main(void)
{
    thrd_t a, b;
    int one = 1, two = 2, own = 4;
    CHECK_EQ(mtx_init(&m, mtx_plain), thrd_success);
    CHECK_EQ(tss_create(&key, destroy), thrd_success);
    CHECK_EQ(tss_set(key, &own), thrd_success);
    CHECK_EQ(thrd_create(&a, body, &one), thrd_success);
    CHECK_EQ(thrd_create(&b, body, &two), thrd_success);
    CHECK_EQ(thrd_join(a, NULL), thrd_success);
    CHECK_EQ(thrd_join(b, NULL), thrd_success);
    CHECK_EQ(sum, 3);
    CHECK(tss_get(key) == &own);
    tss_delete(key);
    return ok();
}
