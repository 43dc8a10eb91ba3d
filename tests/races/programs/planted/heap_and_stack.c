#include "../two.h"
struct job {
    int* where;
    int done;
};
static void* work(void* argument) {
    struct job* job = argument;
    *job->where = 1;  // race
    job->done = 1;  // race
    return 0;
}
int main(void) {
    int on_stack = 0;
    struct job* job = malloc(sizeof *job);
    job->where = &on_stack;
    job->done = 0;
    run(work, work, job);
    free(job);
    return 0;
}
