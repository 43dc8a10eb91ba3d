/* bug: a ticket is drawn once too often, and its number is an index behind an array of main(); preemptions: 1 */
#include <pthread.h>
#include <stdio.h>
// build: -fsanitize=address
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int drawn;

struct desk {
    int* seats;
    int count;
};

static void* sit(void* argument) {
    struct desk* desk = argument;
    pthread_mutex_lock(&lock);
    const int is_free = drawn < desk->count;
    pthread_mutex_unlock(&lock);
    if (!is_free) return NULL;
    pthread_mutex_lock(&lock);
    desk->seats[drawn++] = 1;
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void) {
    int seats[2] = {0, 0};
    struct desk desk = {seats, 2};
    pthread_t threads[3];
    for (int i = 0; i < 3; ++i) pthread_create(&threads[i], NULL, sit, &desk);
    for (int i = 0; i < 3; ++i) pthread_join(threads[i], NULL);
    printf("%d\n", seats[0] + seats[1]);
    return 0;
}
