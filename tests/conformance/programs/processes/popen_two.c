/* conformance: popen, pclose */
#include "check.h"
#include <sys/wait.h>

/* The second command does not inherit the pipe of the first one. */
static void *writer(void *p)
{
    FILE *first = popen("cat >/dev/null; exit 3", "w");
    FILE *second = popen("cat >/dev/null", "we");
    CHECK(first && second);
    CHECK(fputs("text\n", first) >= 0);
    CHECK_EQ(WEXITSTATUS(pclose(first)), 3);
    CHECK_EQ(pclose(second), 0);
    CHECK(popen("true", "x") == NULL);
    CHECK_EQ(errno, EINVAL);
    return p;
}

int main(void)
{
    join(start(writer, NULL));
    return ok();
}
