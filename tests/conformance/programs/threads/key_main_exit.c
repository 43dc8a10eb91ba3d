/* conformance: pthread_key_create, pthread_exit, exit */
#include "check.h"

/* main's values are destroyed when main ends by pthread_exit, but not when the process exits. */
static pthread_key_t by_pthread_exit, by_exit;
static pthread_t main_thread;
static int calls;

static void destroy(UNUSED void *p) { calls++; }

static void not_called(UNUSED void *p) { check_failed(__FILE__, __LINE__, "exit destroys no values"); }

static void *after_main(UNUSED void *p)
{
    static int mark;
    join(main_thread);
    CHECK_EQ(calls, 1);
    CHECK_EQ(pthread_setspecific(by_exit, &mark), 0);
    exit(ok());
}

int main(void)
{
    static int mark;
    main_thread = pthread_self();
    CHECK_EQ(pthread_key_create(&by_pthread_exit, destroy), 0);
    CHECK_EQ(pthread_key_create(&by_exit, not_called), 0);
    CHECK_EQ(pthread_setspecific(by_pthread_exit, &mark), 0);
    start(after_main, NULL);
    pthread_exit(NULL);
}
