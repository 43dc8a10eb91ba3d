/* planted: exit: main does not wait for the worker that would set the status to 0 */
#include "check.h"

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int status = 4;

static void *worker(void *p)
{
    pthread_mutex_lock(&m);
    status = 0;
    pthread_mutex_unlock(&m);
    return p;
}

int main(void)
{
    pthread_detach(start(worker, NULL));
    pthread_mutex_lock(&m);
    int result = status;
    pthread_mutex_unlock(&m);
    if (result == 0)
        ok();
    return result;
}
