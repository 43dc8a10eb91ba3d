/* conformance: pipe, read, close, dup */
#include "check.h"
#include <semaphore.h>

/* A waiting reader gets end of file when the last writing descriptor is closed. */
static int fd[2];
static sem_t ready;

static void *reader(void *p)
{
    char byte;
    sem_post(&ready);
    CHECK_EQ(read(fd[0], &byte, 1), 0);
    CHECK_EQ(read(fd[0], &byte, 1), 0); /* and again on every later read */
    return p;
}

int main(void)
{
    sem_init(&ready, 0, 0);
    CHECK_EQ(pipe(fd), 0);
    int copy = dup(fd[1]);
    CHECK(copy >= 0);
    pthread_t t = start(reader, NULL);
    sem_wait(&ready);
    CHECK_EQ(close(fd[1]), 0);
    CHECK_EQ(close(copy), 0);
    join(t);
    return ok();
}
