/* conformance: thrd_detach, mtx_init, cnd_init, cnd_signal, cnd_wait */
#include "check.h"
#include <threads.h>

static mtx_t m;
static cnd_t c;
static int done;

static int body(UNUSED void *p)
{
    mtx_lock(&m);
    done = 1;
    cnd_signal(&c);
    mtx_unlock(&m);
    return 0;
}

int main(void)
{
    thrd_t t;
    CHECK_EQ(mtx_init(&m, mtx_plain), thrd_success);
    CHECK_EQ(cnd_init(&c), thrd_success);
    CHECK_EQ(thrd_create(&t, body, NULL), thrd_success);
    CHECK_EQ(thrd_detach(t), thrd_success);
    mtx_lock(&m);
    while (!done)
        CHECK_EQ(cnd_wait(&c, &m), thrd_success);
    mtx_unlock(&m);
    return ok();
}
