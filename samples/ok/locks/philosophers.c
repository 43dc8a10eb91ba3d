/* ok: dining philosophers who take the lower fork first never deadlock */
/* philosophers [n = 3]: 2^n - 2 happens-before graphs, all of them without a preemption. */
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
    const int lower = left < right ? left : right;
    const int higher = left < right ? right : left;
    pthread_mutex_lock(&fork_of[lower]);
    pthread_mutex_lock(&fork_of[higher]);
    ++meals[left];
    pthread_mutex_unlock(&fork_of[higher]);
    pthread_mutex_unlock(&fork_of[lower]);
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
