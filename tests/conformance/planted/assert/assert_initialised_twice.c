/* planted: assert: the flag is tested under the lock, but the work is done outside it */
#include "check.h"
#include <assert.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int initialised, times;

static void *use(void *p)
{
    pthread_mutex_lock(&m);
    int need = !initialised;
    pthread_mutex_unlock(&m);
    if (need) {
        pthread_mutex_lock(&m);
        initialised = 1;
        times++;
        pthread_mutex_unlock(&m);
    }
    return p;
}

int main(void)
{
    pthread_t t = start(use, NULL), u = start(use, NULL);
    join(t);
    join(u);
    assert(times == 1);
    return ok();
}
