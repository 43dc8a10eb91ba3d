/* bug: a text is measured before another thread has written its end; preemptions: 1 */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
// build: -fsanitize=address
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static char* text;
static volatile size_t length;

static void* write_text(void* unused) {
    (void)unused;
    pthread_mutex_lock(&lock);
    memset(text, 'a', 8);
    pthread_mutex_unlock(&lock);
    pthread_mutex_lock(&lock);
    text[7] = 0;
    pthread_mutex_unlock(&lock);
    return 0;
}

static void* measure(void* unused) {
    (void)unused;
    pthread_mutex_lock(&lock);
    length = strlen(text);
    pthread_mutex_unlock(&lock);
    return 0;
}

int main(void) {
    text = calloc(8, 1);
    pthread_t threads[2];
    pthread_create(&threads[0], 0, write_text, 0);
    pthread_create(&threads[1], 0, measure, 0);
    for (int i = 0; i < 2; ++i) pthread_join(threads[i], 0);
    free(text);
    return 0;
}
