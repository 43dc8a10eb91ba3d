/* planted: deadlock: two threads lock two mutexes in opposite order, through functions looked up by name */
#include "check.h"
#include <dlfcn.h>

static int (*create)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
static int (*lock)(pthread_mutex_t *), (*unlock)(pthread_mutex_t *);
static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;

static void *one(void *p)
{
    lock(&a);
    lock(&b);
    unlock(&b);
    unlock(&a);
    return p;
}

static void *other(void *p)
{
    lock(&b);
    lock(&a);
    unlock(&a);
    unlock(&b);
    return p;
}

int main(void)
{
    void *libpthread = dlopen("libpthread.so.0", RTLD_NOW), *libc = dlopen("libc.so.6", RTLD_NOW);
    pthread_t first, second;
    CHECK(libpthread && libc);
    /* The same lookup as in the Free Pascal runtime; the symbols of libpthread are stubs, the functions are in libc. */
    *(void **)&create = dlsym(libpthread, "pthread_create");
    *(void **)&lock = dlsym(libc, "pthread_mutex_lock");
    *(void **)&unlock = dlsym(RTLD_NEXT, "pthread_mutex_unlock");
    CHECK(create && lock && unlock);
    CHECK(dlsym(libc, "pthread_mutex_lick") == NULL && dlerror() != NULL);
    CHECK_EQ(create(&first, NULL, one, NULL), 0);
    CHECK_EQ(create(&second, NULL, other, NULL), 0);
    join(first);
    join(second);
    return ok();
}
