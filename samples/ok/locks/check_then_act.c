/* ok: a thread tests that a seat is free and takes it in one critical section */
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int seats = 1;

static void* book(void* unused) {
    (void)unused;
    pthread_mutex_lock(&m);
    if (seats > 0) --seats;
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
