/* bug: a station of a token ring wakes its neighbour before it has put down the token; preemptions: 1 */
// token_ring [STATIONS [ROUNDS]]: 4 stations, 2 rounds.
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdlib.h>

static int stations = 4, rounds = 2;
static sem_t turn[64];
static atomic_int holders;

static void* station(void* number) {
    const int me = (int)(long)number;
    for (int i = 0; i < rounds; ++i) {
        sem_wait(&turn[me]);
        assert(atomic_fetch_add(&holders, 1) == 0);
        sem_post(&turn[(me + 1) % stations]);
        atomic_fetch_sub(&holders, 1);
    }
    return NULL;
}

int main(int count, char** arguments) {
    if (count > 1) stations = atoi(arguments[1]);
    if (count > 2) rounds = atoi(arguments[2]);
    assert(stations <= 64);
    pthread_t thread[64];
    for (int i = 0; i < stations; ++i) sem_init(&turn[i], 0, i == 0);
    for (long i = 0; i < stations; ++i) pthread_create(&thread[i], NULL, station, (void*)i);
    for (int i = 0; i < stations; ++i) pthread_join(thread[i], NULL);
    return 0;
}
