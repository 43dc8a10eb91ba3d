/* conformance: calloc, free */
#include "check.h"

/* calloc returns zeroed memory even if the block was used and freed before. */
static void *body(void *p)
{
    for (int i = 0; i < 20; i++) {
        unsigned char *a = (unsigned char *)calloc(1, 200);
        CHECK(a);
        for (int k = 0; k < 200; k++)
            CHECK_EQ(a[k], 0);
        memset(a, 0xff, 200);
        free(a);
    }
    return p;
}

int main(void)
{
    pthread_t a = start(body, NULL), b = start(body, NULL);
    join(a);
    join(b);
    return ok();
}
