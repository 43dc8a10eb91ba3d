/* conformance: poll, pthread_cancel */
#include "check.h"
#include <poll.h>
#include <semaphore.h>

static sem_t ready;
static int fd[2], cleaned;

static void clean(UNUSED void *p) { cleaned++; }

static void *body(void *p)
{
    struct pollfd one = {.fd = fd[0], .events = POLLIN};
    pthread_cleanup_push(clean, NULL);
    sem_post(&ready);
    CHECK_EQ(poll(&one, 1, -1), 1);
    pthread_cleanup_pop(0);
    return p;
}

int main(void)
{
    CHECK_EQ(pipe(fd), 0);
    sem_init(&ready, 0, 0);
    pthread_t t = start(body, NULL);
    sem_wait(&ready);
    CHECK_EQ(pthread_cancel(t), 0);
    CHECK(join(t) == PTHREAD_CANCELED);
    CHECK_EQ(cleaned, 1);
    return ok();
}
