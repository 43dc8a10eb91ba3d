/* ok: a thread waits until the configuration is read */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t configured = PTHREAD_COND_INITIALIZER;
static int port;

static void* configure(void* unused) {
    (void)unused;
    pthread_mutex_lock(&m);
    port = 8080;
    pthread_cond_signal(&configured);
    pthread_mutex_unlock(&m);
    return NULL;
}

static void* serve(void* unused) {
    (void)unused;
    pthread_mutex_lock(&m);
    while (port == 0) pthread_cond_wait(&configured, &m);
    const int own_port = port;
    pthread_mutex_unlock(&m);
    if (own_port == 0) {
        fputs("no port\n", stderr);
        exit(3);
    }
    return NULL;
}

int main(void) {
    pthread_t reader, server;
    pthread_create(&reader, NULL, configure, NULL);
    pthread_create(&server, NULL, serve, NULL);
    pthread_join(reader, NULL);
    pthread_join(server, NULL);
    return 0;
}
