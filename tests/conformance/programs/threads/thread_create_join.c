/* conformance: pthread_create, pthread_join */
#include "check.h"

static void *twice(void *p)
{
    *(int *)p *= 2;
    return p;
}

int main(void)
{
    int values[2] = {3, 5};
    pthread_t a = start(twice, &values[0]), b = start(twice, &values[1]);
    CHECK(join(a) == &values[0]);
    CHECK(join(b) == &values[1]);
    CHECK_EQ(values[0], 6);
    CHECK_EQ(values[1], 10);
    CHECK_EQ(pthread_create(&a, NULL, twice, &values[0]), 0);
    CHECK_EQ(pthread_join(a, NULL), 0); /* without the result */
    CHECK_EQ(values[0], 12);
    return ok();
}
