// main ends the process while its threads still work: what they could have done before is explored too.
// expect --outcomes: outcomes "assertion" "exit_status 3" "ok"
#include <assert.h>
#include <pthread.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void* fails(void* unused) {
    pthread_mutex_lock(&lock);
    pthread_mutex_unlock(&lock);
    assert(unused != 0);
    return unused;
}

static void* leaves(void* unused) {
    _exit(3);
    return unused;
}

int main(void) {
    pthread_t threads[2];
    pthread_create(&threads[0], 0, fails, 0);
    pthread_create(&threads[1], 0, leaves, 0);
    return 0;
}
