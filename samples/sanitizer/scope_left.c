/* bug: a thread reads a variable of a block that main() has left meanwhile; preemptions: 0 */
#include <pthread.h>
#include <semaphore.h>
// build: -fsanitize=address
static sem_t go;
static int* given;
static volatile int seen;

static void* look(void* unused) {
    (void)unused;
    sem_wait(&go);
    seen = *given;
    return 0;
}

int main(void) {
    sem_init(&go, 0, 0);
    pthread_t thread;
    pthread_create(&thread, 0, look, 0);
    {
        int value[4] = {5, 6, 7, 8};
        given = value;
        sem_post(&go);
    }
    pthread_join(thread, 0);
    return 0;
}
