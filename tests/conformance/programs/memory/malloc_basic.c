/* conformance: malloc, calloc, realloc, reallocarray, free, malloc_usable_size */
#include "check.h"
#include <malloc.h>
#include <stdint.h>

static void *body(void *p)
{
    for (size_t size = 1; size <= 5000; size = size * 3 + 1) {
        unsigned char *a = (unsigned char *)malloc(size), *b = (unsigned char *)calloc(size, 3);
        CHECK(a && b && a != b);
        CHECK_EQ((uintptr_t)a % 16, 0);
        CHECK_EQ((uintptr_t)b % 16, 0);
        CHECK(malloc_usable_size(a) >= size);
        CHECK(malloc_usable_size(b) >= 3 * size);
        for (size_t i = 0; i < 3 * size; i++)
            CHECK_EQ(b[i], 0);
        memset(a, 0xaa, size);
        memset(b, 0xbb, 3 * size);
        for (size_t i = 0; i < size; i++)
            CHECK_EQ(a[i], 0xaa);
        free(a);
        free(b);
    }
    void *a = malloc(0), *b = malloc(0);
    CHECK(a && b && a != b);
    free(a);
    free(b);
    free(NULL);
    CHECK_EQ(malloc_usable_size(NULL), 0);
    return p;
}

int main(void)
{
    body(NULL);
    pthread_t a = start(body, NULL), b = start(body, NULL);
    join(a);
    join(b);
    return ok();
}
