/* conformance: popen, pclose */
#include "check.h"
#include <sys/wait.h>

static void *run(void *p)
{
    char text[16] = "";
    FILE *f = popen("echo hello; exit 2", "r");
    CHECK(f);
    CHECK(fgets(text, sizeof text, f) == text);
    CHECK_STR(text, "hello\n");
    CHECK(fgets(text, sizeof text, f) == NULL);
    CHECK_EQ(WEXITSTATUS(pclose(f)), 2);
    return p;
}

int main(void)
{
    join(start(run, NULL));
    return ok();
}
