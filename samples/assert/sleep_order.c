/* bug: a thread sleeps instead of waiting until the other thread has started; preemptions: 1 */
#include <assert.h>
#include <pthread.h>
#include <unistd.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int listening;

static void* serve(void* unused) {
    (void)unused;
    pthread_mutex_lock(&m);
    listening = 1;
    pthread_mutex_unlock(&m);
    return NULL;
}

static void* ask(void* unused) {
    (void)unused;
    usleep(20000); /* the server has started by then */
    pthread_mutex_lock(&m);
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
