// Main holds a lock that its thread never takes, from before the thread's start: the lock guards nothing.
// expect: assertion
// expect -- both: ok
#include <assert.h>
#include <pthread.h>

static int value, both;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void* add(void* unused) {
    if (both) pthread_mutex_lock(&mutex);
    value = value + 1;
    if (both) pthread_mutex_unlock(&mutex);
    return unused;
}

int main(int count, char** values) {
    (void)values;
    both = count > 1;
    pthread_t thread;
    pthread_mutex_lock(&mutex);
    pthread_create(&thread, NULL, add, NULL);
    value = value + 1;
    if (both) pthread_mutex_unlock(&mutex);
    pthread_join(thread, NULL);
    assert(value == 2);
    return 0;
}
