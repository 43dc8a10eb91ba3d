/* planted: assert: an audit sees money in transit between two accounts with separate locks */
#include "check.h"
#include <assert.h>

static pthread_mutex_t from_lock = PTHREAD_MUTEX_INITIALIZER, to_lock = PTHREAD_MUTEX_INITIALIZER;
static int from = 10, to;

static void *transfer(void *p)
{
    pthread_mutex_lock(&from_lock);
    from -= 5;
    pthread_mutex_unlock(&from_lock);
    pthread_mutex_lock(&to_lock);
    to += 5;
    pthread_mutex_unlock(&to_lock);
    return p;
}

int main(void)
{
    pthread_t t = start(transfer, NULL);
    pthread_mutex_lock(&from_lock);
    pthread_mutex_lock(&to_lock);
    int total = from + to;
    pthread_mutex_unlock(&to_lock);
    pthread_mutex_unlock(&from_lock);
    assert(total == 10);
    join(t);
    return ok();
}
