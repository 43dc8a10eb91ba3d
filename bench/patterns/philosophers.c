/* bug: every philosopher takes the left fork first, so all can hold one and wait for the other; preemptions: 1 */
// philosophers [N]: 5 philosophers, one meal each. Few orders of the N threads lead there.
#include <pthread.h>
#include <stdlib.h>

static int seats = 5;
static pthread_mutex_t fork_lock[64];

static void* dine(void* number) {
    const int me = (int)(long)number;
    pthread_mutex_lock(&fork_lock[me]);
    pthread_mutex_lock(&fork_lock[(me + 1) % seats]);
    pthread_mutex_unlock(&fork_lock[(me + 1) % seats]);
    pthread_mutex_unlock(&fork_lock[me]);
    return NULL;
}

int main(int count, char** arguments) {
    if (count > 1) seats = atoi(arguments[1]);
    if (seats < 2 || seats > 64) return 2;
    pthread_t thread[64];
    for (int i = 0; i < seats; ++i) pthread_mutex_init(&fork_lock[i], NULL);
    for (long i = 0; i < seats; ++i) pthread_create(&thread[i], NULL, dine, (void*)i);
    for (int i = 0; i < seats; ++i) pthread_join(thread[i], NULL);
    return 0;
}
