/* ok: the settings count their users, and the last user frees them */
// build: -O2
// run: --memory races
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

struct settings {
    int port, backlog, users;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct settings* current;

static struct settings* make(int port) {
    struct settings* const made = malloc(sizeof *made);
    made->port = port;
    made->backlog = 16;
    made->users = 1;
    return made;
}

static void leave(struct settings* used) {
    pthread_mutex_lock(&lock);
    const int left = --used->users;
    pthread_mutex_unlock(&lock);
    if (left == 0) free(used);
}

static void* serve(void* unused) {
    pthread_mutex_lock(&lock);
    struct settings* const mine = current;
    ++mine->users;
    pthread_mutex_unlock(&lock);
    printf("port %d\n", mine->port);
    leave(mine);
    return unused;
}

static void* reload(void* unused) {
    struct settings* const fresh = make(8081);
    pthread_mutex_lock(&lock);
    struct settings* const old = current;
    current = fresh;
    pthread_mutex_unlock(&lock);
    leave(old);
    return unused;
}

int main(void) {
    pthread_t server, reloader;
    current = make(8080);
    pthread_create(&server, NULL, serve, NULL);
    pthread_create(&reloader, NULL, reload, NULL);
    pthread_join(server, NULL);
    pthread_join(reloader, NULL);
    leave(current);
    return 0;
}
