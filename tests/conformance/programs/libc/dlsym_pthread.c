/* conformance: dlsym, dlopen */
#include "check.h"
#include <dlfcn.h>

/* Functions looked up at run time behave like linked ones. */
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int count;
static int (*lock)(pthread_mutex_t *), (*unlock)(pthread_mutex_t *);

static void *body(void *p)
{
    CHECK_EQ(lock(&m), 0);
    CHECK_EQ(pthread_mutex_trylock(&m), EBUSY);
    count++;
    CHECK_EQ(unlock(&m), 0);
    return p;
}

int main(void)
{
    void *self = dlopen(NULL, RTLD_NOW);
    CHECK(self);
    lock = (int (*)(pthread_mutex_t *))dlsym(self, "pthread_mutex_lock");
    unlock = (int (*)(pthread_mutex_t *))dlsym(RTLD_DEFAULT, "pthread_mutex_unlock");
    CHECK(lock && unlock);
    pthread_t a = start(body, NULL), b = start(body, NULL);
    join(a);
    join(b);
    CHECK_EQ(count, 2);
    return ok();
}
