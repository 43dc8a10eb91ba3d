/* conformance: pthread_exit, pthread_join */
#include "check.h"

/* main ends by pthread_exit and is joined like any other thread; the process continues. */
static pthread_t main_thread;
static int mark;

static void *after_main(UNUSED void *p)
{
    CHECK(join(main_thread) == &mark);
    exit(ok());
}

int main(void)
{
    main_thread = pthread_self();
    start(after_main, NULL);
    pthread_exit(&mark);
}
