/* conformance: pthread_key_create, pthread_setspecific, pthread_getspecific, pthread_key_delete */
#include "check.h"

static pthread_key_t key;

static void *body(void *p)
{
    CHECK(pthread_getspecific(key) == NULL); /* a new thread starts with NULL */
    CHECK_EQ(pthread_setspecific(key, p), 0);
    CHECK(pthread_getspecific(key) == p);
    return pthread_getspecific(key);
}

int main(void)
{
    int a_mark, b_mark, own;
    CHECK_EQ(pthread_key_create(&key, NULL), 0);
    CHECK(pthread_getspecific(key) == NULL);
    CHECK_EQ(pthread_setspecific(key, &own), 0);
    pthread_t a = start(body, &a_mark), b = start(body, &b_mark);
    CHECK(join(a) == &a_mark);
    CHECK(join(b) == &b_mark);
    CHECK(pthread_getspecific(key) == &own);
    CHECK_EQ(pthread_key_delete(key), 0);
    return ok();
}
