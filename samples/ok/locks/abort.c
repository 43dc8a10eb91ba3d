/* ok: the state does not change between the first read and the last, so the program never aborts */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

enum state { closed, open_now };

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static enum state state = open_now;

static void send_locked(void) {
    if (state == closed) {
        fputs("closed while sending\n", stderr);
        abort();
    }
}

static void* send_all(void* unused) {
    (void)unused;
    pthread_mutex_lock(&m);
    if (state != closed) send_locked();
    pthread_mutex_unlock(&m);
    return NULL;
}

static void* shut(void* unused) {
    (void)unused;
    pthread_mutex_lock(&m);
    state = closed;
    pthread_mutex_unlock(&m);
    return NULL;
}

int main(void) {
    pthread_t sender, closer;
    pthread_create(&sender, NULL, send_all, NULL);
    pthread_create(&closer, NULL, shut, NULL);
    pthread_join(sender, NULL);
    pthread_join(closer, NULL);
    return 0;
}
