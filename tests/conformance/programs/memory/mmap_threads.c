/* conformance: mmap, munmap, mprotect, mremap, madvise */
#include "check.h"
#include <sys/mman.h>

enum { size = 64 << 10 };

static void *body(void *p)
{
    char *a = (char *)mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    CHECK(a != MAP_FAILED);
    for (int i = 0; i < size; i += 4096)
        CHECK_EQ(a[i], 0);
    a[0] = 1;
    a[size - 1] = 2;
    CHECK_EQ(mprotect(a, 4096, PROT_READ), 0);
    CHECK_EQ(a[0], 1);
    CHECK_EQ(mprotect(a, 4096, PROT_READ | PROT_WRITE), 0);
    a = (char *)mremap(a, size, 2 * size, MREMAP_MAYMOVE);
    CHECK(a != MAP_FAILED);
    CHECK_EQ(a[size - 1], 2);
    CHECK_EQ(a[2 * size - 1], 0);
    CHECK_EQ(madvise(a, 4096, MADV_DONTNEED), 0);
    CHECK_EQ(a[0], 0);
    CHECK_EQ(munmap(a, 2 * size), 0);
    return p;
}

int main(void)
{
    pthread_t a = start(body, NULL), b = start(body, NULL);
    join(a);
    join(b);
    return ok();
}
