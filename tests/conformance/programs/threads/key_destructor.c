/* conformance: pthread_key_create, pthread_setspecific */
#include "check.h"

/* The destructor gets the value (the key is NULL by then) in the ending thread, may synchronise, and is not run for NULL. */
static pthread_key_t key;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int sum, calls;

static void destroy(void *p)
{
    CHECK(pthread_getspecific(key) == NULL);
    pthread_mutex_lock(&m);
    sum += *(int *)p;
    calls++;
    pthread_mutex_unlock(&m);
}

static void *body(void *p)
{
    CHECK_EQ(pthread_setspecific(key, p), 0);
    return p;
}

static void *set_and_unset(void *p)
{
    CHECK_EQ(pthread_setspecific(key, p), 0);
    CHECK_EQ(pthread_setspecific(key, NULL), 0);
    pthread_exit(p);
}

int main(void)
{
    int one = 1, two = 2, four = 4;
    CHECK_EQ(pthread_key_create(&key, destroy), 0);
    pthread_t a = start(body, &one), b = start(body, &two);
    join(a);
    join(b);
    join(start(set_and_unset, &four));
    CHECK_EQ(calls, 2);
    CHECK_EQ(sum, 3);
    return ok();
}
