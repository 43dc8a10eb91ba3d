/* conformance: printf, puts, putchar, fwrite, fflush */
#include "check.h"

/* All threads print to stdout: whole lines, the same lines in any order. */
static void *print(void *p)
{
    CHECK_EQ(printf("%s %d\n", "line", 1), 7);
    CHECK(puts("line 1") >= 0);
    CHECK_EQ(fwrite("line 1\n", 1, 7, stdout), 7);
    CHECK_EQ(fflush(stdout), 0);
    return p;
}

int main(void)
{
    print(NULL);
    pthread_t a = start(print, NULL), b = start(print, NULL);
    join(a);
    join(b);
    return ok();
}
