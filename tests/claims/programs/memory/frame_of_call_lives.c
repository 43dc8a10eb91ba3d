// A function waits until a thread has filled in its variable. It is called again and again, from other depths of the stack.
// modes: default races kernel tsan
// expect: ok
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

struct job {
    int number, result;
    sem_t done;
};

static struct job* volatile queue;
static sem_t waiting;

static void* work(void* unused) {
    (void)unused;
    for (int i = 0; i < 3; ++i) {
        sem_wait(&waiting);
        struct job* job = queue;
        job->result = job->number * 2;
        sem_post(&job->done);
    }
    return NULL;
}

static int __attribute__((noinline)) ask(int number) {
    struct job job = {number, 0, {{0}}};
    sem_init(&job.done, 0, 0);
    queue = &job;
    sem_post(&waiting);
    sem_wait(&job.done);
    return job.result;
}

static int __attribute__((noinline)) ask_from_below(int number) {
    volatile int room[20] = {0};
    room[number] = ask(number);
    return room[number];
}

int main(void) {
    pthread_t thread;
    sem_init(&waiting, 0, 0);
    pthread_create(&thread, NULL, work, NULL);
    assert(ask(3) == 6);
    assert(ask_from_below(4) == 8);
    assert(ask(5) == 10);
    pthread_join(thread, NULL);
    return 0;
}
