/* A thread that waits in a system call, and another that sends it a signal. */
#include "check.h"
#include <semaphore.h>
#include <signal.h>

static volatile sig_atomic_t handled;
static sem_t seen;

static void on_signal(UNUSED int number)
{
    handled = 1;
    sem_post(&seen);
}

static void handle_signals(int flags)
{
    struct sigaction act = {.sa_handler = on_signal, .sa_flags = flags};
    CHECK_EQ(sem_init(&seen, 0, 0), 0);
    CHECK_EQ(sigaction(SIGUSR1, &act, NULL), 0);
}

/* Sends a signal, and waits until the handler has run. */
static inline void interrupt(pthread_t thread)
{
    CHECK_EQ(pthread_kill(thread, SIGUSR1), 0);
    while (sem_wait(&seen) != 0)
        CHECK_EQ(errno, EINTR);
    CHECK_EQ(handled, 1);
}
