// A signal that would end the process is sent to a thread that may have ended: then nothing happens.
// expect --outcomes: outcomes "ok" "crash"
#include <pthread.h>
#include <signal.h>

static void *ends(void *unused) { return unused; }

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, ends, NULL);
    pthread_kill(thread, SIGUSR2);
    pthread_join(thread, NULL);
    return 0;
}
