// A child decides in real time which status it ends with.
// options: --memory sync
// cause: waitpid() in draw (prog.c:
// cause: a child process, which runs in real time
// try: no setting helped
#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>
#include <x86intrin.h>
static pthread_mutex_t locks[128];
static unsigned draw(void) {
    const pid_t child = fork();
    if (child == 0) {
        const unsigned long now = __rdtsc();
        _exit((now ^ now >> 7) & 127);
    }
    int status = 0;
    waitpid(child, &status, 0);
    return WEXITSTATUS(status);
}
static void* body(void* argument) {
    for (int i = 0; i < 3; ++i) {
        pthread_mutex_t* const one = &locks[draw() & 127];
        pthread_mutex_lock(one);
        pthread_mutex_unlock(one);
    }
    return argument;
}
int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, body, 0);
    pthread_join(thread, 0);
    return 0;
}
