/* ok: two ends agree in one critical section on the first speaker */
#include <pthread.h>
#include <unistd.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int here;
static int to[2][2]; /* one pipe to each end */

static int arrive(void) {
    pthread_mutex_lock(&m);
    const int found = here++;
    pthread_mutex_unlock(&m);
    return found;
}

static void* talk(void* end) {
    const int own = *(int*)end;
    const int other = 1 - own;
    const int speaks_first = arrive() > 0;
    char word = 'a';
    if (speaks_first && write(to[other][1], &word, 1) != 1) return NULL;
    if (read(to[own][0], &word, 1) != 1) return NULL;
    if (!speaks_first && write(to[other][1], &word, 1) != 1) return NULL;
    return NULL;
}

int main(void) {
    pthread_t thread[2];
    int end[2] = {0, 1};
    for (int i = 0; i < 2; ++i)
        if (pipe(to[i]) != 0) return 1;
    for (int i = 0; i < 2; ++i) pthread_create(&thread[i], NULL, talk, &end[i]);
    for (int i = 0; i < 2; ++i) pthread_join(thread[i], NULL);
    return 0;
}
