/* conformance: malloc, calloc, realloc, reallocarray */
// clang assumes that the builtin functions do not change errno.
// build: -fno-builtin
#include "check.h"
#include <stdint.h>

static volatile size_t huge = PTRDIFF_MAX, half = SIZE_MAX / 2 + 1;

static void *body(void *p)
{
    errno = 0;
    CHECK(malloc(huge + 1) == NULL);
    CHECK_EQ(errno, ENOMEM);
    errno = 0;
    CHECK(calloc(half, 2) == NULL);
    CHECK_EQ(errno, ENOMEM);
    int *a = (int *)malloc(sizeof *a);
    CHECK(a);
    *a = 5;
    errno = 0;
    CHECK(realloc(a, huge + 1) == NULL);
    CHECK_EQ(errno, ENOMEM);
    errno = 0;
    CHECK(reallocarray(a, half, 2) == NULL);
    CHECK_EQ(errno, ENOMEM);
    CHECK_EQ(*a, 5); /* a failed realloc does not change the block */
    errno = 77;
    free(a);
    CHECK_EQ(errno, 77); /* free preserves errno */
    return p;
}

int main(void)
{
    body(NULL);
    join(start(body, NULL));
    return ok();
}
