/* ok: a listener unsubscribes before it takes the lock that its callback takes */
#include <pthread.h>
#include <stddef.h>

struct listener {
    pthread_mutex_t lock;
    int events;
};

static struct {
    pthread_mutex_t lock;
    void (*callback)(struct listener*);
    struct listener* listener;
} source = {.lock = PTHREAD_MUTEX_INITIALIZER};

static void on_event(struct listener* self) {
    pthread_mutex_lock(&self->lock);
    ++self->events;
    pthread_mutex_unlock(&self->lock);
}

static void* emit(void* unused) {
    (void)unused;
    pthread_mutex_lock(&source.lock);
    if (source.callback != NULL) source.callback(source.listener);
    pthread_mutex_unlock(&source.lock);
    return NULL;
}

static void* close_listener(void* arg) {
    struct listener* self = arg;
    pthread_mutex_lock(&source.lock);
    source.callback = NULL;
    pthread_mutex_unlock(&source.lock);
    pthread_mutex_lock(&self->lock);
    self->events = 0;
    pthread_mutex_unlock(&self->lock);
    return NULL;
}

int main(void) {
    pthread_t emitter, closer;
    struct listener listener = {.lock = PTHREAD_MUTEX_INITIALIZER};
    source.callback = on_event;
    source.listener = &listener;
    pthread_create(&emitter, NULL, emit, NULL);
    pthread_create(&closer, NULL, close_listener, &listener);
    pthread_join(emitter, NULL);
    pthread_join(closer, NULL);
    return 0;
}
