/* A thread with a pending cancellation reaches a possible cancellation point: the same under every schedule. */
#ifndef CONFORMANCE_CANCEL_H
#define CONFORMANCE_CANCEL_H
#include "check.h"

static pthread_mutex_t cancel_gate = PTHREAD_MUTEX_INITIALIZER;
static int cancel_passed, cancel_cleaned;

static inline void cancel_count_cleanup(UNUSED void *p)
{
    cancel_cleaned++;
}

static inline void *cancel_run(void *p)
{
    pthread_cleanup_push(cancel_count_cleanup, NULL);
    pthread_mutex_lock(&cancel_gate); /* not a cancellation point */
    pthread_mutex_unlock(&cancel_gate);
    (*(void (**)(void))p)();
    cancel_passed = 1;
    pthread_cleanup_pop(0);
    return NULL;
}

/* Runs `point` in a thread with a pending cancellation. Returns 1 if the cancellation ended the thread there. */
static inline int cancelled_in(void (*point)(void))
{
    cancel_passed = cancel_cleaned = 0;
    pthread_mutex_lock(&cancel_gate);
    pthread_t t = start(cancel_run, &point);
    CHECK_EQ(pthread_cancel(t), 0);
    pthread_mutex_unlock(&cancel_gate);
    void *result = join(t);
    CHECK_EQ(result == PTHREAD_CANCELED, !cancel_passed);
    CHECK_EQ(cancel_cleaned, !cancel_passed);
    return !cancel_passed;
}
#endif
