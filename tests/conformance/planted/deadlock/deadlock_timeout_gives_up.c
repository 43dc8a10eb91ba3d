/* planted: deadlock: the asker gives up at its deadline, and the answerer waits forever for an acknowledgement */
// run: --patience none
#include "check.h"
#include <semaphore.h>

static sem_t answer, thanks;

static void *answerer(void *p)
{
    sem_post(&answer);
    sem_wait(&thanks);
    return p;
}

int main(void)
{
    sem_init(&answer, 0, 0);
    sem_init(&thanks, 0, 0);
    pthread_t t = start(answerer, NULL);
    struct timespec deadline = in_ms(CLOCK_REALTIME, 5000);
    if (sem_timedwait(&answer, &deadline) == 0)
        sem_post(&thanks);
    join(t);
    return ok();
}
