/* conformance: call_once */
#include "check.h"
#include <threads.h>

static once_flag flag = ONCE_FLAG_INIT;
static int runs;

static void init(void) { runs++; }

static int body(UNUSED void *p)
{
    call_once(&flag, init);
    CHECK_EQ(runs, 1);
    return 0;
}

int main(void)
{
    thrd_t a, b;
    CHECK_EQ(thrd_create(&a, body, NULL), thrd_success);
    CHECK_EQ(thrd_create(&b, body, NULL), thrd_success);
    CHECK_EQ(thrd_join(a, NULL), thrd_success);
    CHECK_EQ(thrd_join(b, NULL), thrd_success);
    call_once(&flag, init);
    CHECK_EQ(runs, 1);
    return ok();
}
