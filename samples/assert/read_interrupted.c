/* bug: the reader takes a read interrupted by a signal for the end of input; preemptions: 2 */
#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <unistd.h>

static int input[2], jobs;

static void reload(int number) { (void)number; }

static void *worker(void *unused) {
    char job;
    (void)unused;
    while (read(input[0], &job, 1) == 1) jobs++;
    return NULL;
}

int main(void) {
    struct sigaction action = {.sa_handler = reload};
    pthread_t thread;
    if (pipe(input) != 0) return 1;
    sigaction(SIGHUP, &action, NULL);
    pthread_create(&thread, NULL, worker, NULL);
    pthread_kill(thread, SIGHUP);
    if (write(input[1], "ab", 2) != 2) return 1;
    close(input[1]);
    pthread_join(thread, NULL);
    assert(jobs == 2);
    return 0;
}
