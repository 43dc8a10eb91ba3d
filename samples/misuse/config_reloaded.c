/* bug: a thread gets the settings under the lock and reads them later, when they may have been freed; preemptions: 1 */
// build: -O2
// run: --memory races
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

struct settings {
    int port, backlog;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct settings* current;

static struct settings* make(int port) {
    struct settings* const made = malloc(sizeof *made);
    made->port = port;
    made->backlog = 16;
    return made;
}

static void* serve(void* unused) {
    pthread_mutex_lock(&lock);
    const struct settings* const mine = current;
    pthread_mutex_unlock(&lock);
    printf("port %d\n", mine->port);
    return unused;
}

static void* reload(void* unused) {
    struct settings* const fresh = make(8081);
    pthread_mutex_lock(&lock);
    struct settings* const old = current;
    current = fresh;
    pthread_mutex_unlock(&lock);
    free(old);
    return unused;
}

int main(void) {
    pthread_t server, reloader;
    current = make(8080);
    pthread_create(&server, NULL, serve, NULL);
    pthread_create(&reloader, NULL, reload, NULL);
    pthread_join(server, NULL);
    pthread_join(reloader, NULL);
    free(current);
    return 0;
}
