/* bug: a thread reads a state twice and aborts if it changed in between; preemptions: 1 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

enum state { closed, open_now };

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static enum state state = open_now;

static enum state current(void) {
    pthread_mutex_lock(&m);
    const enum state now = state;
    pthread_mutex_unlock(&m);
    return now;
}

static void* send_all(void* unused) {
    (void)unused;
    if (current() == closed) return NULL;
    if (current() == closed) {
        fputs("closed while sending\n", stderr);
        abort();
    }
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
