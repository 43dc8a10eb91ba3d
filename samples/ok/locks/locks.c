/* ok: counts schedules: N threads each lock and unlock one mutex K times */
/* locks [N = 4] [K = 2]: (NK)! / (K!)^N happens-before graphs: 2520 as it is; 1680 for 3 3, 90 for 3 2, 6 for 2 2. */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

enum { most = 64 };

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int counter;
static int times = 2;

static void* count(void* unused) {
    (void)unused;
    for (int i = 0; i < times; ++i) {
        pthread_mutex_lock(&m);
        ++counter;
        pthread_mutex_unlock(&m);
    }
    return NULL;
}

int main(int argc, char** argv) {
    pthread_t thread[most];
    const int n = argc > 1 ? atoi(argv[1]) : 4;
    if (argc > 2) times = atoi(argv[2]);
    if (n < 1 || n > most || times < 0) {
        fprintf(stderr, "usage: %s [threads, 1 to %d] [times each]\n", argv[0], most);
        return 2;
    }
    for (int i = 0; i < n; ++i) pthread_create(&thread[i], NULL, count, NULL);
    for (int i = 0; i < n; ++i) pthread_join(thread[i], NULL);
    assert(counter == n * times);
    return 0;
}
