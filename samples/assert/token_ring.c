/* bug: a station of a token ring wakes its neighbour before it has put down the token; preemptions: 1 */
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
// run: --memory races
enum { stations = 3, rounds = 2 };
static sem_t turn[stations];
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

int main(void) {
    pthread_t thread[stations];
    for (int i = 0; i < stations; ++i) sem_init(&turn[i], 0, i == 0);
    for (long i = 0; i < stations; ++i) pthread_create(&thread[i], NULL, station, (void*)i);
    for (int i = 0; i < stations; ++i) pthread_join(thread[i], NULL);
    return 0;
}
