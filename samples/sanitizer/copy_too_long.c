/* bug: a message grows between the allocation for its copy and the copying; preemptions: 1 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
// build: -fsanitize=address
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static char message[64] = "short";

static void* copy(void* unused) {
    (void)unused;
    pthread_mutex_lock(&lock);
    char* room = malloc(strlen(message) + 1);
    pthread_mutex_unlock(&lock);
    pthread_mutex_lock(&lock);
    strcpy(room, message);
    pthread_mutex_unlock(&lock);
    puts(room);
    free(room);
    return 0;
}

static void* extend(void* unused) {
    (void)unused;
    pthread_mutex_lock(&lock);
    strcat(message, ", and then longer than before");
    pthread_mutex_unlock(&lock);
    return 0;
}

int main(void) {
    pthread_t threads[2];
    pthread_create(&threads[0], 0, copy, 0);
    pthread_create(&threads[1], 0, extend, 0);
    for (int i = 0; i < 2; ++i) pthread_join(threads[i], 0);
    return 0;
}
