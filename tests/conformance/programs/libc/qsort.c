/* conformance: qsort, qsort_r, bsearch, pthread_mutex_lock */
#include "check.h"

/* Callbacks called from the C library may synchronise. */
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int compared;

static int compare(const void *a, const void *b)
{
    return *(const int *)a - *(const int *)b;
}

static int compare_locked(const void *a, const void *b, void *mutex)
{
    pthread_mutex_lock((pthread_mutex_t *)mutex);
    compared++;
    pthread_mutex_unlock((pthread_mutex_t *)mutex);
    return compare(a, b);
}

static void *body(void *p)
{
    int few[2] = {2, 1}, many[100], key = 42;
    qsort_r(few, 2, sizeof *few, compare_locked, &m);
    CHECK(few[0] == 1 && few[1] == 2);
    for (int i = 0; i < 100; i++)
        many[i] = (i * 37) % 100;
    qsort(many, 100, sizeof *many, compare);
    for (int i = 0; i < 100; i++)
        CHECK_EQ(many[i], i);
    CHECK(bsearch(&key, many, 100, sizeof *many, compare) == &many[42]);
    return p;
}

int main(void)
{
    pthread_t a = start(body, NULL), b = start(body, NULL);
    join(a);
    join(b);
    CHECK(compared >= 2);
    return ok();
}
