/* ok: a thread waits until the other thread reports that it has started */
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int listening;

static void* serve(void* unused) {
    (void)unused;
    pthread_mutex_lock(&m);
    listening = 1;
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&m);
    return NULL;
}

static void* ask(void* unused) {
    (void)unused;
    pthread_mutex_lock(&m);
    while (!listening) pthread_cond_wait(&changed, &m);
    assert(listening);
    pthread_mutex_unlock(&m);
    return NULL;
}

int main(void) {
    pthread_t server, client;
    pthread_create(&server, NULL, serve, NULL);
    pthread_create(&client, NULL, ask, NULL);
    pthread_join(server, NULL);
    pthread_join(client, NULL);
    return 0;
}
