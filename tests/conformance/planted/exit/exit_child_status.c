/* planted: exit: the status of a forked child depends on the progress of the other thread */
#include "check.h"
#include <sys/wait.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int ready;

static void *worker(void *p)
{
    pthread_mutex_lock(&m);
    ready = 1;
    pthread_mutex_unlock(&m);
    return p;
}

int main(void)
{
    int status = 0;
    pthread_t t = start(worker, NULL);
    pthread_mutex_lock(&m);
    pid_t child = fork();
    CHECK(child >= 0);
    if (child == 0)
        _exit(ready ? 0 : 6);
    pthread_mutex_unlock(&m);
    CHECK_EQ(waitpid(child, &status, 0), child);
    join(t);
    if (WEXITSTATUS(status) == 0)
        ok();
    return WEXITSTATUS(status);
}
