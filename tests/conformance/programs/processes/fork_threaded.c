/* conformance: fork, waitpid, _exit */
#include "check.h"
#include <semaphore.h>
#include <sys/wait.h>

/* fork while another thread runs: only the calling thread continues in the child. */
static sem_t go_on;
static int value = 1;

static void *waiter(void *p)
{
    sem_wait(&go_on);
    return p;
}

int main(void)
{
    int status = 0;
    sem_init(&go_on, 0, 0);
    pthread_t t = start(waiter, NULL);
    pid_t parent = getpid(), child = fork();
    CHECK(child >= 0);
    if (child == 0) {
        value = 2;
        CHECK(getpid() != parent);
        CHECK_EQ(getpid(), gettid());
        _exit(7);
    }
    CHECK_EQ(waitpid(child, &status, 0), child);
    CHECK(WIFEXITED(status));
    CHECK_EQ(WEXITSTATUS(status), 7);
    CHECK_EQ(value, 1); /* the child changed its own copy */
    sem_post(&go_on);
    join(t);
    return ok();
}
