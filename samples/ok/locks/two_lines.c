/* ok: two threads print a line each under a lock, in either order: two outcomes, both correct */
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t turn = PTHREAD_MUTEX_INITIALIZER;

static void* print(void* line) {
    pthread_mutex_lock(&turn);
    puts(line);
    pthread_mutex_unlock(&turn);
    return NULL;
}

int main(void) {
    pthread_t one, two;
    pthread_create(&one, NULL, print, "one");
    pthread_create(&two, NULL, print, "two");
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    return 0;
}
