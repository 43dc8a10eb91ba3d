/* conformance: pthread_self, pthread_equal */
#include "check.h"

static pthread_t main_thread;

static void *body(void *p)
{
    *(pthread_t *)p = pthread_self();
    CHECK(pthread_equal(pthread_self(), pthread_self()));
    CHECK(!pthread_equal(pthread_self(), main_thread));
    return p;
}

int main(void)
{
    pthread_t self_a, self_b;
    main_thread = pthread_self();
    CHECK(pthread_equal(main_thread, pthread_self()));
    pthread_t a = start(body, &self_a), b = start(body, &self_b);
    CHECK(!pthread_equal(a, b));
    join(a);
    join(b);
    CHECK(pthread_equal(a, self_a));
    CHECK(pthread_equal(b, self_b));
    return ok();
}
