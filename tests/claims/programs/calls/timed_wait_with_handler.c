// A handler ends a wait with a time limit, even if it was set with SA_RESTART.
// modes: default kernel
// expect --outcomes: outcomes "ok: 0" "ok: EINTR" "ok: ETIMEDOUT"
// expect --outcomes -- futex: outcomes "ok: 0" "ok: EAGAIN" "ok: EINTR" "ok: ETIMEDOUT"
// expect --outcomes -- untimed: outcomes "ok: 0"
#define _GNU_SOURCE
#include <errno.h>
#include <linux/futex.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static sem_t semaphore;
static int word, by_futex, untimed;

static void handler(int signal) { (void)signal; }

static int wait_for_a_second(void) {
    struct timespec time = {1, 0};
    if (by_futex) return (int)syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, 0, &time);
    if (untimed) return sem_wait(&semaphore);
    clock_gettime(CLOCK_REALTIME, &time);
    ++time.tv_sec;
    return sem_timedwait(&semaphore, &time);
}

static void* wait_once(void* unused) {
    const char* const name = wait_for_a_second() == 0 ? "0"
                             : errno == EINTR         ? "EINTR"
                             : errno == EAGAIN        ? "EAGAIN"
                             : errno == ETIMEDOUT     ? "ETIMEDOUT"
                                                      : "another error";
    fputs(name, stdout);
    return unused;
}

int main(int count, char** words) {
    by_futex = count > 1 && strcmp(words[1], "futex") == 0;
    untimed = count > 1 && strcmp(words[1], "untimed") == 0;
    const struct sigaction action = {.sa_handler = handler, .sa_flags = SA_RESTART};
    sigaction(SIGUSR1, &action, NULL);
    sem_init(&semaphore, 0, 0);
    pthread_t thread;
    pthread_create(&thread, NULL, wait_once, NULL);
    pthread_kill(thread, SIGUSR1);
    sem_post(&semaphore);
    __atomic_store_n(&word, 1, __ATOMIC_SEQ_CST);
    syscall(SYS_futex, &word, FUTEX_WAKE_PRIVATE, 1);
    pthread_join(thread, NULL);
    return 0;
}
