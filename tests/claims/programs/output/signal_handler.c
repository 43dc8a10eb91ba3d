// A signal handler writes in one thread while another thread writes.
// expect: ok "the order in which threads write output was not explored"
// expect --outcomes: outcomes "ok: hm" "ok: mh"
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <unistd.h>

static sem_t handled;

static void handler(int signal) {
    (void)signal;
    write(1, "h", 1);
    sem_post(&handled);
}

static void* waits(void* unused) {
    while (sem_wait(&handled) != 0 && errno == EINTR) {}
    return unused;
}

int main(void) {
    struct sigaction action = {0};
    pthread_t thread;
    action.sa_handler = handler;
    sigaction(SIGUSR1, &action, 0);
    sem_init(&handled, 0, 0);
    pthread_create(&thread, 0, waits, 0);
    pthread_kill(thread, SIGUSR1);
    write(1, "m", 1);
    pthread_join(thread, 0);
    return 0;
}
