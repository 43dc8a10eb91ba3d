/* conformance: pthread_attr_setguardsize, pthread_attr_getguardsize */
#include "check.h"

static void *body(void *p)
{
    pthread_attr_t attr;
    size_t got;
    CHECK_EQ(pthread_getattr_np(pthread_self(), &attr), 0);
    CHECK_EQ(pthread_attr_getguardsize(&attr, &got), 0);
    CHECK_EQ(got, *(size_t *)p);
    pthread_attr_destroy(&attr);
    return p;
}

int main(void)
{
    pthread_attr_t attr;
    pthread_t t;
    size_t page = (size_t)sysconf(_SC_PAGESIZE), got, sizes[] = {page, 4 * page, 0};
    CHECK_EQ(pthread_attr_init(&attr), 0);
    CHECK_EQ(pthread_attr_getguardsize(&attr, &got), 0);
    CHECK_EQ(got, page); /* the default */
    for (int i = 0; i < 3; i++) {
        CHECK_EQ(pthread_attr_setguardsize(&attr, sizes[i]), 0);
        CHECK_EQ(pthread_attr_getguardsize(&attr, &got), 0);
        CHECK_EQ(got, sizes[i]);
        CHECK_EQ(pthread_create(&t, &attr, body, &sizes[i]), 0);
        join(t);
    }
    CHECK_EQ(pthread_attr_destroy(&attr), 0);
    return ok();
}
