/* Checks and a few short helpers for the conformance programs.
   The first failed check prints the difference on stderr and exits with status 1. */
#ifndef CONFORMANCE_CHECK_H
#define CONFORMANCE_CHECK_H
#ifndef _GNU_SOURCE
#define _GNU_SOURCE 1
#endif
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define UNUSED __attribute__((unused))
#define CHECK(expr) ((expr) ? (void)0 : check_failed(__FILE__, __LINE__, #expr))
#define CHECK_EQ(a, b) check_equal((long long)(a), (long long)(b), __FILE__, __LINE__, #a " == " #b)
#define CHECK_STR(a, b) check_string((a), (b), __FILE__, __LINE__, #a " is " #b)
#define CHECK_ERRNO(expr, code) \
    (errno = 0, check_equal((long long)(expr), -1, __FILE__, __LINE__, #expr " == -1"), \
     check_equal(errno, code, __FILE__, __LINE__, "errno of " #expr " == " #code))

__attribute__((noreturn)) static inline void check_failed(const char *file, int line, const char *what)
{
    fprintf(stderr, "%s:%d: not so: %s\n", file, line, what);
    _exit(1);
}

static inline void check_equal(long long a, long long b, const char *file, int line, const char *what)
{
    if (a == b)
        return;
    fprintf(stderr, "%s:%d: not so: %s (%lld and %lld)\n", file, line, what, a, b);
    _exit(1);
}

static inline void check_string(const char *a, const char *b, const char *file, int line, const char *what)
{
    if (a && b && strcmp(a, b) == 0)
        return;
    fprintf(stderr, "%s:%d: not so: %s (\"%s\" and \"%s\")\n", file, line, what, a ? a : "(null)", b ? b : "(null)");
    _exit(1);
}

/* The return value of main after all checks have passed. */
static inline int ok(void)
{
    puts("ok");
    return 0;
}

static inline pthread_t start(void *(*body)(void *), void *argument)
{
    pthread_t thread;
    CHECK_EQ(pthread_create(&thread, NULL, body, argument), 0);
    return thread;
}

static inline void *join(pthread_t thread)
{
    void *result = NULL;
    CHECK_EQ(pthread_join(thread, &result), 0);
    return result;
}

/* Reads the clock, in nanoseconds. */
static inline long long now(clockid_t clock)
{
    struct timespec t;
    CHECK_EQ(clock_gettime(clock, &t), 0);
    return t.tv_sec * 1000000000LL + t.tv_nsec;
}

static inline long long nanoseconds(struct timespec t)
{
    return t.tv_sec * 1000000000LL + t.tv_nsec;
}

/* The time `ms` milliseconds from now (in the past if negative), for functions with a deadline. */
static inline struct timespec in_ms(clockid_t clock, long ms)
{
    long long at = now(clock) + ms * 1000000LL;
    struct timespec t;
    t.tv_sec = (time_t)(at / 1000000000);
    t.tv_nsec = (long)(at % 1000000000);
    return t;
}
#endif
