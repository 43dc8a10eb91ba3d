// A thread installs a handler while others take locks, and may send a signal: both orders of handler and signal
// are explored.
// expect: ok
// expect -- send: ok
// expect -- race: crash
// expect -- count: assertion
#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <string.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static atomic_int handled;
static const char* how;

static void handler(int signal) {
    (void)signal;
    ++handled;
}

static void* work(void* main_thread) {
    for (int i = 0; i < 2; ++i) {
        pthread_mutex_lock(&mutex);
        if (strcmp(how, "count") == 0) assert(handled == 0);
        pthread_mutex_unlock(&mutex);
    }
    if (strcmp(how, "race") == 0) pthread_kill(*(pthread_t*)main_thread, SIGUSR1);
    return NULL;
}

int main(int count, char** values) {
    how = count > 1 ? values[1] : "";
    pthread_t self = pthread_self(), threads[2];
    const int others = count > 1 ? 1 : 2;
    for (int i = 0; i < others; ++i) pthread_create(&threads[i], NULL, work, &self);
    pthread_mutex_lock(&mutex);
    signal(SIGUSR1, handler);
    pthread_mutex_unlock(&mutex);
    if (strcmp(how, "send") == 0 || strcmp(how, "count") == 0) pthread_kill(threads[0], SIGUSR1);
    for (int i = 0; i < others; ++i) pthread_join(threads[i], NULL);
    return 0;
}
