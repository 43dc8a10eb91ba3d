/* conformance: __thread */
#include "check.h"
#include <stdint.h>

/* Each thread starts with the initial values, at its own addresses, with the requested alignment. */
static __thread int counter = 5;
static __thread char text[8] = "init";
static __thread _Alignas(64) char aligned[64];
static __thread int *to_self;
static pthread_barrier_t all_there;

static void *body(void *p)
{
    CHECK_EQ(counter, 5);
    CHECK_STR(text, "init");
    CHECK(to_self == NULL);
    CHECK_EQ((uintptr_t)aligned % 64, 0);
    CHECK_EQ(aligned[63], 0);
    counter += *(int *)p;
    to_self = &counter;
    strcpy(text, "mine");
    pthread_barrier_wait(&all_there); /* the other threads change their own copies */
    CHECK_EQ(counter, 5 + *(int *)p);
    CHECK(to_self == &counter);
    CHECK_STR(text, "mine");
    return &counter;
}

int main(void)
{
    int one = 1, two = 2;
    pthread_barrier_init(&all_there, NULL, 2);
    counter = 100;
    pthread_t a = start(body, &one), b = start(body, &two);
    void *a_address = join(a);
    CHECK(a_address != &counter && join(b) != &counter);
    CHECK_EQ(counter, 100);
    CHECK_STR(text, "init");
    return ok();
}
