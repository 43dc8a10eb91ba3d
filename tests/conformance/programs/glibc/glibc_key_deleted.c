/* conformance: pthread_key_delete, pthread_setspecific, pthread_getspecific */
#include "check.h"

/* Undefined in POSIX, an error code in glibc; a tool may report misuse instead. */
static void *body(void *p)
{
    pthread_key_t *key = (pthread_key_t *)p;
    CHECK_EQ(pthread_key_delete(*key), EINVAL);
    CHECK_EQ(pthread_setspecific(*key, p), EINVAL);
    CHECK(pthread_getspecific(*key) == NULL);
    return p;
}

int main(void)
{
    pthread_key_t key;
    CHECK_EQ(pthread_key_create(&key, NULL), 0);
    CHECK_EQ(pthread_setspecific(key, &key), 0);
    CHECK_EQ(pthread_key_delete(key), 0);
    join(start(body, &key));
    return ok();
}
