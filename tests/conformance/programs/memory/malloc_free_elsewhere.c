/* conformance: malloc, free, realloc */
#include "check.h"

/* Other threads free or grow the blocks of a thread, even after that thread has ended. */
static void *make(void *p)
{
    int **out = (int **)p;
    for (int i = 0; i < 8; i++) {
        CHECK((out[i] = (int *)malloc(16u << i)));
        *out[i] = i;
    }
    return p;
}

static void *drop(void *p)
{
    int **in = (int **)p;
    for (int i = 0; i < 8; i++) {
        CHECK_EQ(*in[i], i);
        if (i % 2)
            CHECK((in[i] = (int *)realloc(in[i], 32u << i)));
        CHECK_EQ(*in[i], i);
        free(in[i]);
    }
    return p;
}

int main(void)
{
    int *first[8], *second[8];
    pthread_t a = start(make, first), b = start(make, second);
    join(a);
    join(b);
    a = start(drop, second);
    drop(first);
    join(a);
    return ok();
}
