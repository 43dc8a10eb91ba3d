// A function starts a thread with a pointer to its own variable and returns.
// modes: default races kernel tsan
// expect: misuse
#include <pthread.h>
#include <string.h>

struct job {
    int number, filled[8];
};

static pthread_t thread;
static volatile int sum;

static void* work(void* argument) {
    const struct job* job = argument;
    sum = job->filled[3] + job->number;
    return NULL;
}

static void __attribute__((noinline)) begin(int number) {
    struct job job;
    memset(&job, 0, sizeof job);
    job.number = number;
    pthread_create(&thread, NULL, work, &job);
}

int main(void) {
    begin(3);
    pthread_join(thread, NULL);
    return 0;
}
