/* bug: every philosopher takes the left fork first, so all can hold one and wait for the other; preemptions: 1 */
/* philosophers_left [n = 3]: 2^n - 1 happens-before graphs, one of them the deadlock. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

enum { most = 64 };

static pthread_mutex_t fork_of[most] = {[0 ... most - 1] = PTHREAD_MUTEX_INITIALIZER};
static int seat[most];
static int meals[most];
static int n = 3;

static void* dine(void* arg) {
    const int left = *(int*)arg;
    const int right = (left + 1) % n;
    pthread_mutex_lock(&fork_of[left]);
    pthread_mutex_lock(&fork_of[right]);
    ++meals[left];
    pthread_mutex_unlock(&fork_of[right]);
    pthread_mutex_unlock(&fork_of[left]);
    return NULL;
}

int main(int argc, char** argv) {
    pthread_t philosopher[most];
    if (argc > 1) n = atoi(argv[1]);
    if (n < 2 || n > most) {
        fprintf(stderr, "usage: %s [philosophers, 2 to %d]\n", argv[0], most);
        return 2;
    }
    for (int i = 0; i < n; ++i) {
        seat[i] = i;
        pthread_create(&philosopher[i], NULL, dine, &seat[i]);
    }
    for (int i = 0; i < n; ++i) pthread_join(philosopher[i], NULL);
    return 0;
}
