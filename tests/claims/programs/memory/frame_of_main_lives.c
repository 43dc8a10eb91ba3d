// Threads use main's frame while main waits for them, and the frame of an exit handler that waits as well.
// modes: default races kernel tsan
// expect: ok
#include <pthread.h>
#include <stdlib.h>

static pthread_t late;
static int* volatile place;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;

static void* use(void* variable) {
    ++*(int*)variable;
    return 0;
}

static void* use_later(void* argument) {
    pthread_mutex_lock(&mutex);
    while (place == 0) pthread_cond_wait(&changed, &mutex);
    ++*place;
    pthread_mutex_unlock(&mutex);
    return argument;
}

static void at_exit(void) {
    int variable = 0;
    pthread_mutex_lock(&mutex);
    place = &variable;
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&mutex);
    pthread_join(late, 0);
    if (variable != 1) abort();
}

int main(void) {
    int variable = 7;
    pthread_t thread;
    atexit(at_exit);
    pthread_create(&thread, 0, use, &variable);
    pthread_create(&late, 0, use_later, 0);
    pthread_join(thread, 0);
    return variable != 8;
}
