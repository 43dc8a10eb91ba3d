// Default attributes hold for new threads, and impossible scheduling parameters are EINVAL, as in glibc on Linux.
// expect: ok
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <sched.h>

static void* guard_of(void* unused) {
    (void)unused;
    pthread_attr_t attributes;
    size_t guard = 0;
    pthread_getattr_np(pthread_self(), &attributes);
    pthread_attr_getguardsize(&attributes, &guard);
    return (void*)guard;
}

int main(void) {
    pthread_attr_t attributes;
    pthread_t thread;
    void* guard;
    pthread_getattr_default_np(&attributes);
    pthread_attr_setguardsize(&attributes, 8192);
    pthread_setattr_default_np(&attributes);
    assert(pthread_create(&thread, NULL, guard_of, NULL) == 0);
    pthread_join(thread, &guard);
    assert((size_t)guard == 8192);

    struct sched_param parameters = {.sched_priority = sched_get_priority_max(SCHED_FIFO) + 1000};
    pthread_attr_init(&attributes);
    pthread_attr_setschedpolicy(&attributes, SCHED_FIFO);
    assert(pthread_attr_setschedparam(&attributes, &parameters) == EINVAL);
    pthread_attr_setinheritsched(&attributes, PTHREAD_EXPLICIT_SCHED);
    assert(pthread_create(&thread, &attributes, guard_of, NULL) == EINVAL);
    return 0;
}
