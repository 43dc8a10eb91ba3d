// A function asks a thread for a result in its own variable and does not wait for it.
// modes: default races kernel tsan
// expect: misuse
#include <pthread.h>
#include <semaphore.h>

struct job {
    int number, result;
};

static struct job* volatile queue;
static sem_t waiting;

static void* work(void* unused) {
    (void)unused;
    sem_wait(&waiting);
    struct job* job = queue;
    job->result = job->number * 2;
    return NULL;
}

static int __attribute__((noinline)) ask(int number) {
    struct job job = {number, 0};
    queue = &job;
    sem_post(&waiting);
    return *(volatile int*)&job.result;
}

int main(void) {
    pthread_t thread;
    sem_init(&waiting, 0, 0);
    pthread_create(&thread, NULL, work, NULL);
    const int result = ask(3);
    pthread_join(thread, NULL);
    return result > 100;
}
