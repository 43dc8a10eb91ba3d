/* conformance: malloc, calloc, realloc, free, malloc_usable_size */
#include "check.h"
#include <malloc.h>

enum { mib = 1 << 20 };

static void *body(void *p)
{
    char *one = (char *)malloc(mib), *big = (char *)calloc(64, mib);
    CHECK(one && big);
    CHECK(malloc_usable_size(one) >= mib);
    CHECK(malloc_usable_size(big) >= 64ul * mib);
    one[0] = one[mib - 1] = 1;
    for (int i = 0; i < 64; i += 9)
        CHECK_EQ(big[i * mib], 0);
    CHECK_EQ(big[64 * mib - 1], 0);
    big[0] = 2;
    big[64 * mib - 1] = 3;
    one = (char *)realloc(one, 2 * mib);
    CHECK(one);
    CHECK_EQ(one[0], 1);
    CHECK_EQ(one[mib - 1], 1);
    one[2 * mib - 1] = 4;
    big = (char *)realloc(big, 65ul * mib);
    CHECK(big);
    CHECK_EQ(big[0], 2);
    CHECK_EQ(big[64 * mib - 1], 3);
    free(big);
    free(one);
    return p;
}

int main(void)
{
    body(NULL);
    join(start(body, NULL));
    return ok();
}
