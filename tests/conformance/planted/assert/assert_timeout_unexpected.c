/* planted: assert: the program assumes that a timed lock of five seconds never expires */
// run: --patience none
#include "check.h"
#include <assert.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *worker(void *p)
{
    struct timespec deadline = in_ms(CLOCK_REALTIME, 5000);
    int r = pthread_mutex_timedlock(&m, &deadline);
    assert(r == 0);
    pthread_mutex_unlock(&m);
    return p;
}

int main(void)
{
    pthread_t t = start(worker, NULL), u = start(worker, NULL);
    join(t);
    join(u);
    return ok();
}
