/* planted: misuse: two threads may both join the same third one */
#include "check.h"

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_t target;
static int joined;

static void *nothing(void *p) { return p; }

static void *join_if_needed(void *p)
{
    pthread_mutex_lock(&m);
    int need = !joined;
    pthread_mutex_unlock(&m);
    if (need) {
        pthread_join(target, NULL);
        pthread_mutex_lock(&m);
        joined = 1;
        pthread_mutex_unlock(&m);
    }
    return p;
}

int main(void)
{
    target = start(nothing, NULL);
    pthread_t t = start(join_if_needed, NULL);
    join_if_needed(NULL);
    join(t);
    return ok();
}
