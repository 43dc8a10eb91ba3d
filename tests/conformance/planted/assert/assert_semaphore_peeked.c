/* planted: assert: sem_getvalue returns 1, so the program assumes that the next trywait succeeds */
#include "check.h"
#include <assert.h>
#include <semaphore.h>

static sem_t s;

static void *taker(void *p)
{
    int value, r = 0;
    sem_getvalue(&s, &value);
    if (value > 0)
        r = sem_trywait(&s);
    assert(r == 0);
    return p;
}

int main(void)
{
    sem_init(&s, 0, 1);
    pthread_t t = start(taker, NULL), u = start(taker, NULL);
    join(t);
    join(u);
    return ok();
}
