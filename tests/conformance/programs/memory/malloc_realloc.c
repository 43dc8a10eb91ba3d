/* conformance: realloc, reallocarray */
#include "check.h"

/* Growing and shrinking preserve the contents. */
static void *body(void *p)
{
    unsigned *a = (unsigned *)realloc(NULL, sizeof *a);
    CHECK(a);
    a[0] = 0;
    for (unsigned n = 2; n <= 65536; n *= 2) {
        a = n % 3 ? (unsigned *)realloc(a, n * sizeof *a) : (unsigned *)reallocarray(a, n, sizeof *a);
        CHECK(a);
        for (unsigned i = 0; i < n / 2; i++)
            CHECK_EQ(a[i], i * 7);
        for (unsigned i = n / 2; i < n; i++)
            a[i] = i * 7;
    }
    for (unsigned n = 65536; n >= 1; n /= 4) {
        a = (unsigned *)reallocarray(a, n, sizeof *a);
        CHECK(a);
        CHECK_EQ(a[n - 1], (n - 1) * 7);
    }
    free(a);
    return p;
}

int main(void)
{
    pthread_t a = start(body, NULL), b = start(body, NULL);
    join(a);
    join(b);
    return ok();
}
