/* conformance: _exit, atexit */
/* raddle: unseen calls */
#include "check.h"

/* _exit from a thread ends the whole process: no handlers run, no buffers are flushed. */
static void handler(void) { check_failed(__FILE__, __LINE__, "_exit runs no handlers"); }

static void *body(UNUSED void *p)
{
    printf("not to be seen");
    CHECK_EQ(write(1, "ok\n", 3), 3);
    _exit(0);
}

int main(void)
{
    static char buffer[1024];
    CHECK_EQ(atexit(handler), 0);
    CHECK_EQ(setvbuf(stdout, buffer, _IOFBF, sizeof buffer), 0);
    join(start(body, NULL));
    return 1;
}
