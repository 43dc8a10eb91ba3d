/* conformance: gettid, pthread_barrier_wait */
#include "check.h"

/* Running threads have different ids. */
static pthread_barrier_t all_there;

static void *body(void *p)
{
    *(pid_t *)p = gettid();
    pthread_barrier_wait(&all_there);
    CHECK_EQ(gettid(), *(pid_t *)p);
    return p;
}

int main(void)
{
    pid_t a_tid, b_tid;
    pthread_barrier_init(&all_there, NULL, 3);
    pthread_t a = start(body, &a_tid), b = start(body, &b_tid);
    pthread_barrier_wait(&all_there);
    CHECK(a_tid != b_tid);
    CHECK(a_tid != gettid());
    CHECK(b_tid != gettid());
    join(a);
    join(b);
    return ok();
}
