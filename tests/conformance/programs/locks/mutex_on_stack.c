/* conformance: pthread_mutex_init, pthread_mutex_destroy, pthread_cond_init, pthread_cond_destroy */
#include "check.h"

/* Two threads use a mutex on the stack; mutexes of three types live one after another at the same address. */
struct both {
    pthread_mutex_t m;
    int count;
};

static void *add(void *p)
{
    struct both *b = (struct both *)p;
    pthread_mutex_lock(&b->m);
    b->count++;
    pthread_mutex_unlock(&b->m);
    return p;
}

static void one_life(int type)
{
    struct both b = {.count = 0};
    pthread_mutexattr_t attr;
    pthread_mutexattr_init(&attr);
    pthread_mutexattr_settype(&attr, type);
    CHECK_EQ(pthread_mutex_init(&b.m, &attr), 0);
    pthread_t t = start(add, &b);
    add(&b);
    join(t);
    CHECK_EQ(b.count, 2);
    CHECK_EQ(pthread_mutex_destroy(&b.m), 0);
}

int main(void)
{
    one_life(PTHREAD_MUTEX_NORMAL);
    one_life(PTHREAD_MUTEX_RECURSIVE);
    one_life(PTHREAD_MUTEX_ERRORCHECK);
    return ok();
}
