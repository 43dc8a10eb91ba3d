/* conformance: pthread_atfork, fork */
#include "check.h"
#include <sys/wait.h>

static char trace[16];

static void prepare_1(void) { strcat(trace, "a"); }
static void prepare_2(void) { strcat(trace, "b"); }
static void parent_1(void) { strcat(trace, "c"); }
static void parent_2(void) { strcat(trace, "d"); }
static void child_1(void) { strcat(trace, "e"); }
static void child_2(void) { strcat(trace, "f"); }

static void *forker(void *p)
{
    int status = 0;
    pid_t child = fork();
    CHECK(child >= 0);
    if (child == 0)
        _exit(strcmp(trace, "baef") == 0 ? 0 : 1);
    CHECK_STR(trace, "bacd"); /* prepare handlers in reverse order, the others in order */
    CHECK_EQ(waitpid(child, &status, 0), child);
    CHECK_EQ(status, 0);
    return p;
}

int main(void)
{
    CHECK_EQ(pthread_atfork(prepare_1, parent_1, child_1), 0);
    CHECK_EQ(pthread_atfork(NULL, NULL, NULL), 0);
    CHECK_EQ(pthread_atfork(prepare_2, parent_2, child_2), 0);
    join(start(forker, NULL));
    return ok();
}
