// A signal for the process comes while a thread ends that would take it. The signal is not lost: another thread takes it.
// expect: ok
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

static sem_t handled, over;

static void handler(int unused) {
    (void)unused;
    sem_post(&handled);
}

static void *ends(void *unused) { return unused; }
static void *waits(void *unused) {
    while (sem_wait(&over) != 0) continue;
    return unused;
}

int main(void) {
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_handler = handler;
    action.sa_flags = SA_RESTART;
    sigaction(SIGUSR1, &action, NULL);
    sem_init(&handled, 0, 0);
    sem_init(&over, 0, 0);
    pthread_t one, other;
    pthread_create(&one, NULL, ends, NULL);
    pthread_create(&other, NULL, waits, NULL);
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGUSR1);
    pthread_sigmask(SIG_BLOCK, &set, NULL);
    kill(getpid(), SIGUSR1);
    sem_wait(&handled);
    sem_post(&over);
    pthread_join(one, NULL);
    pthread_join(other, NULL);
    return 0;
}
