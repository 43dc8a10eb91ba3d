/* conformance: memalign, posix_memalign, aligned_alloc, valloc, pvalloc, malloc_usable_size */
#include "check.h"
#include <malloc.h>
#include <stdint.h>

static void use(void *p, size_t alignment, size_t size)
{
    CHECK(p);
    CHECK_EQ((uintptr_t)p % alignment, 0);
    CHECK(malloc_usable_size(p) >= size);
    memset(p, 0x55, size);
    p = realloc(p, 2 * size); /* no longer aligned, but with the same contents */
    CHECK(p);
    CHECK_EQ(((char *)p)[size - 1], 0x55);
    free(p);
}

static void *body(void *p)
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    void *a = NULL;
    for (size_t alignment = 16; alignment <= 65536; alignment *= 4) {
        use(memalign(alignment, 100), alignment, 100);
        use(aligned_alloc(alignment, alignment), alignment, alignment);
        CHECK_EQ(posix_memalign(&a, alignment, 33), 0);
        use(a, alignment, 33);
    }
    CHECK_EQ(posix_memalign(&a, sizeof(void *), 8), 0);
    use(a, sizeof(void *), 8);
    CHECK_EQ(posix_memalign(&a, 3, 8), EINVAL);
    CHECK_EQ(posix_memalign(&a, 24, 8), EINVAL);
    use(valloc(10), page, 10);
    use(pvalloc(10), page, page); /* rounded up to a page */
    return p;
}

int main(void)
{
    pthread_t a = start(body, NULL), b = start(body, NULL);
    join(a);
    join(b);
    return ok();
}
