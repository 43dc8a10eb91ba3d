/* conformance: pthread_cleanup_push, pthread_cleanup_pop, pthread_exit, pthread_setspecific */
#include "check.h"

static char trace[16];
static pthread_key_t key;

static void note(void *p) { strcat(trace, (const char *)p); }

static void *by_exit(void *p)
{
    CHECK_EQ(pthread_setspecific(key, "k"), 0);
    pthread_cleanup_push(note, "1");
    pthread_cleanup_push(note, "2");
    pthread_cleanup_push(note, "3");
    pthread_cleanup_pop(1); /* pops and runs the handler */
    pthread_cleanup_push(note, "4");
    pthread_cleanup_pop(0); /* pops the handler without running it */
    note("x");
    pthread_exit(p);
    pthread_cleanup_pop(0);
    pthread_cleanup_pop(0);
}

static void *by_cancel(void *p)
{
    CHECK_EQ(pthread_setspecific(key, "k"), 0);
    pthread_cleanup_push(note, "1");
    pthread_cleanup_push(note, "2");
    pthread_cancel(pthread_self());
    pthread_testcancel();
    pthread_cleanup_pop(0);
    pthread_cleanup_pop(0);
    return p;
}

int main(void)
{
    CHECK_EQ(pthread_key_create(&key, note), 0);
    join(start(by_exit, NULL));
    CHECK_STR(trace, "3x21k"); /* handlers in reverse order, then the keys */
    trace[0] = 0;
    join(start(by_cancel, NULL));
    CHECK_STR(trace, "21k");
    return ok();
}
