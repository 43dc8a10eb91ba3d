// A block used by another thread is freed, allocated again with a smaller size, and then grown in place.
// native: glibc has free lists for sizes, and returns another block.
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>

static sem_t ask, answer;
static long* shared;

static void* other(void* unused) {
    sem_wait(&ask);
    shared[5] += 1;
    sem_post(&answer);
    sem_wait(&ask);
    shared[5] += 2;
    return unused;
}

int main(void) {
    pthread_t thread;
    sem_init(&ask, 0, 0);
    sem_init(&answer, 0, 0);
    pthread_create(&thread, 0, other, 0);
    shared = malloc(6 * sizeof *shared);
    shared[5] = 1;
    sem_post(&ask);
    sem_wait(&answer);
    long* const before = shared;
    free(shared);
    shared = realloc(malloc(5 * sizeof *shared - 1), 6 * sizeof *shared);
    const int same = shared == before;
    shared[5] = 3;
    sem_post(&ask);
    pthread_join(thread, 0);
    return !same || shared[5] != 5;
}
