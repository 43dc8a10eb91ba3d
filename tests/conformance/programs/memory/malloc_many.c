/* conformance: malloc, free */
#include "check.h"

/* Many live blocks: no two overlap. */
enum { blocks = 500 };

static void *body(void *p)
{
    unsigned char *block[blocks];
    for (unsigned i = 0; i < blocks; i++) {
        CHECK((block[i] = (unsigned char *)malloc(i + 1)));
        memset(block[i], (int)(i % 251), i + 1);
    }
    for (unsigned i = 0; i < blocks; i += 2)
        free(block[i]);
    for (unsigned i = 0; i < blocks; i += 2) {
        CHECK((block[i] = (unsigned char *)malloc(i + 1)));
        memset(block[i], (int)(i % 251), i + 1);
    }
    for (unsigned i = 0; i < blocks; i++) {
        for (unsigned k = 0; k <= i; k++)
            CHECK_EQ(block[i][k], i % 251);
        free(block[i]);
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
