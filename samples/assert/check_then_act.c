/* bug: a thread tests in one critical section that a seat is free, and takes the seat in another; preemptions: 1 */
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int seats = 1;

static int any_free(void) {
    pthread_mutex_lock(&m);
    const int answer = seats > 0;
    pthread_mutex_unlock(&m);
    return answer;
}

static void* book(void* unused) {
    (void)unused;
    if (!any_free()) return NULL;
    pthread_mutex_lock(&m);
    --seats;
    assert(seats >= 0);
    pthread_mutex_unlock(&m);
    return NULL;
}

int main(void) {
    pthread_t customer[2];
    for (int i = 0; i < 2; ++i) pthread_create(&customer[i], NULL, book, NULL);
    for (int i = 0; i < 2; ++i) pthread_join(customer[i], NULL);
    return 0;
}
