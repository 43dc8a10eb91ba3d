/* conformance: pthread_cleanup_push_defer_np, pthread_cleanup_pop_restore_np */
#include "check.h"

static int cleaned;

static void clean(UNUSED void *p) { cleaned++; }

static void *body(void *p)
{
    int type = -1;
    pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, NULL);
    pthread_cleanup_push_defer_np(clean, NULL);
    pthread_setcanceltype(PTHREAD_CANCEL_DEFERRED, &type);
    CHECK_EQ(type, PTHREAD_CANCEL_DEFERRED); /* deferred by the push */
    pthread_cleanup_pop_restore_np(1);
    pthread_setcanceltype(PTHREAD_CANCEL_DEFERRED, &type);
    CHECK_EQ(type, PTHREAD_CANCEL_ASYNCHRONOUS); /* restored by the pop */
    return p;
}

int main(void)
{
    join(start(body, NULL));
    CHECK_EQ(cleaned, 1);
    return ok();
}
