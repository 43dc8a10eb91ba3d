/* conformance: pthread_setname_np, pthread_getname_np */
#include "check.h"

static pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER;

static void *body(void *p)
{
    char name[16];
    pthread_mutex_lock(&gate);
    pthread_mutex_unlock(&gate);
    CHECK_EQ(pthread_getname_np(pthread_self(), name, sizeof name), 0);
    CHECK_STR(name, "worker");
    CHECK_EQ(pthread_setname_np(pthread_self(), "fifteen letters"), 0);
    CHECK_EQ(pthread_getname_np(pthread_self(), name, sizeof name), 0);
    CHECK_STR(name, "fifteen letters");
    return p;
}

int main(void)
{
    char name[16];
    CHECK_EQ(pthread_setname_np(pthread_self(), "parent"), 0);
    pthread_mutex_lock(&gate);
    pthread_t t = start(body, NULL);
    CHECK_EQ(pthread_getname_np(t, name, sizeof name), 0);
    CHECK_STR(name, "parent"); /* inherited */
    CHECK_EQ(pthread_setname_np(t, "worker"), 0);
    CHECK_EQ(pthread_setname_np(t, "sixteen letters!"), ERANGE);
    CHECK_EQ(pthread_getname_np(t, name, 3), ERANGE);
    pthread_mutex_unlock(&gate);
    join(t);
    CHECK_EQ(pthread_getname_np(pthread_self(), name, sizeof name), 0);
    CHECK_STR(name, "parent");
    return ok();
}
