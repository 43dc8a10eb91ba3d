/* bug: a thread hands out its own variable and returns from that function before the other one reads it; preemptions: 0 */
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
// build: -fsanitize=address
// run: --memory sync --env ASAN_OPTIONS=detect_stack_use_after_return=1
static sem_t given, done;
static int* shared;

static void __attribute__((noinline)) hand_out(int value) {
    int local[8] = {value};
    shared = local;
    sem_post(&given);
}

static void* give(void* unused) {
    (void)unused;
    hand_out(3);
    sem_wait(&done);
    return 0;
}

int main(void) {
    sem_init(&given, 0, 0);
    sem_init(&done, 0, 0);
    pthread_t thread;
    pthread_create(&thread, 0, give, 0);
    sem_wait(&given);
    printf("%d\n", shared[0]);
    sem_post(&done);
    pthread_join(thread, 0);
    return 0;
}
