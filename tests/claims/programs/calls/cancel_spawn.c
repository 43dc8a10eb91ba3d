// posix_spawn and fork are no cancellation points: a pending request is acted upon later. system is one.
// expect -- spawn: ok
// expect -- fork: ok
// expect -- system: exit_status
#include <pthread.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char** environ;
static const char* how;

static void* work(void* unused) {
    char* words[] = {"true", NULL};
    pid_t child = 0;
    int status;
    pthread_cancel(pthread_self());
    if (strcmp(how, "spawn") == 0 && posix_spawn(&child, "/bin/true", NULL, NULL, words, environ) != 0) abort();
    if (strcmp(how, "fork") == 0 && (child = fork()) == 0) _exit(0);
    if (strcmp(how, "system") == 0) (void)!system("true");
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, NULL);
    if (child > 0) waitpid(child, &status, 0);
    return unused;
}

int main(int count, char** values) {
    how = count > 1 ? values[1] : "spawn";
    pthread_t thread;
    void* result;
    pthread_create(&thread, NULL, work, NULL);
    pthread_join(thread, &result);
    return result == PTHREAD_CANCELED;
}
