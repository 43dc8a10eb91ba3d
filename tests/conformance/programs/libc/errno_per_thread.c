/* conformance: errno */
#include "check.h"

static pthread_barrier_t all_there;

static void *body(void *p)
{
    CHECK_EQ(errno, 0);
    errno = *(int *)p;
    pthread_barrier_wait(&all_there);
    CHECK_EQ(errno, *(int *)p);
    CHECK_EQ(close(-1), -1);
    CHECK_EQ(errno, EBADF);
    pthread_barrier_wait(&all_there);
    return p;
}

int main(void)
{
    int one = ENOENT, two = EINTR;
    pthread_barrier_init(&all_there, NULL, 2);
    errno = EPERM;
    pthread_t a = start(body, &one), b = start(body, &two);
    CHECK_EQ(pthread_join(a, NULL), 0);
    CHECK_EQ(pthread_join(b, NULL), 0);
    CHECK_EQ(errno, EPERM);
    return ok();
}
