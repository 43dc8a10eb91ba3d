/* ok: a watcher that sees a short-lived state expects it to be over at the next read */
#include <assert.h>
#include <pthread.h>

enum state { idle, starting, running };

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static enum state state = idle;

static void go_to(enum state next) {
    pthread_mutex_lock(&m);
    state = next;
    pthread_mutex_unlock(&m);
}

static enum state current(void) {
    pthread_mutex_lock(&m);
    const enum state now = state;
    pthread_mutex_unlock(&m);
    return now;
}

static void* start(void* unused) {
    (void)unused;
    go_to(starting);
    go_to(running);
    return NULL;
}

static void* watch(void* unused) {
    (void)unused;
    if (current() == starting) assert(current() != idle);
    return NULL;
}

int main(void) {
    pthread_t starter, watcher;
    pthread_create(&starter, NULL, start, NULL);
    pthread_create(&watcher, NULL, watch, NULL);
    pthread_join(starter, NULL);
    pthread_join(watcher, NULL);
    return 0;
}
