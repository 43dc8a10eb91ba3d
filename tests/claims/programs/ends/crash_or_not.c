// A thread that crashes when it comes late, beside locks in two orders and a status that depends on the order.
// expect: crash, deadlock, exit_status
#include <pthread.h>
#include <stdatomic.h>

static pthread_mutex_t one = PTHREAD_MUTEX_INITIALIZER, other = PTHREAD_MUTEX_INITIALIZER;
static atomic_int turns;
static int last;

static void take_both(pthread_mutex_t* a, pthread_mutex_t* b, int me) {
    pthread_mutex_lock(a);
    pthread_mutex_lock(b);
    last = me;
    pthread_mutex_unlock(b);
    pthread_mutex_unlock(a);
    ++turns;
}

static void* forwards(void* unused) {
    take_both(&one, &other, 1);
    return unused;
}

static void* backwards(void* unused) {
    take_both(&other, &one, 2);
    return unused;
}

static void* crashes_late(void* unused) {
    if (turns == 2) *(volatile int*)unused = 1;
    return unused;
}

int main(void) {
    pthread_t threads[3];
    pthread_create(&threads[0], 0, forwards, 0);
    pthread_create(&threads[1], 0, backwards, 0);
    pthread_create(&threads[2], 0, crashes_late, 0);
    for (int i = 0; i < 3; ++i) pthread_join(threads[i], 0);
    return last == 2 ? 0 : 7;
}
