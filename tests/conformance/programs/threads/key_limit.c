/* conformance: pthread_key_create, pthread_key_delete, sysconf */
#include "check.h"
#include <limits.h>

static pthread_key_t keys[PTHREAD_KEYS_MAX + 1];
static int count, destroyed;

static void destroy(UNUSED void *p) { destroyed++; }

static void *use_all(void *p)
{
    for (int i = 0; i < count; i++)
        CHECK(pthread_getspecific(keys[i]) == NULL);
    for (int i = 0; i < count; i++)
        CHECK_EQ(pthread_setspecific(keys[i], &keys[i]), 0);
    for (int i = 0; i < count; i++)
        CHECK(pthread_getspecific(keys[i]) == &keys[i]);
    return p;
}

int main(void)
{
    int r = 0;
    while (count <= PTHREAD_KEYS_MAX && (r = pthread_key_create(&keys[count], destroy)) == 0)
        count++;
    CHECK_EQ(r, EAGAIN);
    CHECK(count >= _POSIX_THREAD_KEYS_MAX);
    CHECK_EQ(sysconf(_SC_THREAD_KEYS_MAX), PTHREAD_KEYS_MAX);
    join(start(use_all, NULL));
    CHECK_EQ(destroyed, count);
    for (int i = 0; i < count; i++)
        CHECK_EQ(pthread_key_delete(keys[i]), 0);
    CHECK_EQ(pthread_key_create(&keys[0], NULL), 0);
    return ok();
}
