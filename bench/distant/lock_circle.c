/* bug: three threads take three locks in a circle; preemptions: 2 */
#include "work.h"

static pthread_mutex_t lock[3] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};

static void* take_two(void* first) {
    const long i = (long)first;
    work(events_each);
    pthread_mutex_lock(&lock[i]);
    pthread_mutex_lock(&lock[(i + 1) % 3]);
    pthread_mutex_unlock(&lock[(i + 1) % 3]);
    pthread_mutex_unlock(&lock[i]);
    work_on();
    return NULL;
}

int main(int count, char** words) {
    pthread_t thread[3];
    events_each = amount(count, words) / 3;
    for (long i = 0; i < 3; ++i) pthread_create(&thread[i], NULL, take_two, (void*)i);
    for (int i = 0; i < 3; ++i) pthread_join(thread[i], NULL);
    return 0;
}
