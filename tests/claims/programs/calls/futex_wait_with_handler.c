// A futex wait compares and waits in one step, in programs with signal handlers too: no wake-up gets lost.
// expect: ok
// expect -- handler: ok
// expect --strategy dfs -- handler: ok
// expect -- handler instruction: ok
// expect -- signal: ok
#include <linux/futex.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

static atomic_int word;
static int by_instruction;

static void handler(int signal) { (void)signal; }

static long futex(int operation, int value) {
    if (!by_instruction) return syscall(SYS_futex, &word, operation, value, NULL, NULL, 0);
    long result;
    register long time __asm__("r10") = 0;
    __asm__ volatile("syscall"
                     : "=a"(result)
                     : "0"(SYS_futex), "D"(&word), "S"(operation), "d"(value), "r"(time)
                     : "rcx", "r11", "memory");
    return result;
}

static void* wake(void* main_thread) {
    if (main_thread != NULL) pthread_kill(*(pthread_t*)main_thread, SIGUSR1);
    atomic_store(&word, 1);
    futex(FUTEX_WAKE_PRIVATE, 1);
    return NULL;
}

int main(int count, char** values) {
    const int signals = count > 1 && strcmp(values[1], "signal") == 0;
    if (count > 1) signal(SIGUSR1, handler);
    by_instruction = count > 2;
    pthread_t self = pthread_self(), thread;
    pthread_create(&thread, NULL, wake, signals ? &self : NULL);
    while (atomic_load(&word) == 0) futex(FUTEX_WAIT_PRIVATE, 0);
    pthread_join(thread, NULL);
    return 0;
}
