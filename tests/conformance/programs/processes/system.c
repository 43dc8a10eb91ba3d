/* conformance: system */
#include "check.h"
#include <sys/wait.h>

static void *run(void *p)
{
    int status = system("exit 3");
    CHECK(WIFEXITED(status));
    CHECK_EQ(WEXITSTATUS(status), 3);
    CHECK(system(NULL) != 0);
    return p;
}

int main(void)
{
    run(NULL);
    join(start(run, NULL));
    return ok();
}
