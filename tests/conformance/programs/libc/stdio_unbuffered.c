/* conformance: fprintf, setvbuf, fdopen, pipe, read */
#include "check.h"

/* An unbuffered stream writes while its lock is held; afterwards the other thread gets the lock. */
static FILE *f;

static void *print(void *p)
{
    CHECK_EQ(fprintf(f, "%s", (const char *)p), 2);
    return p;
}

int main(void)
{
    int fd[2];
    char text[5] = "";
    CHECK_EQ(pipe(fd), 0);
    CHECK((f = fdopen(fd[1], "w")));
    CHECK_EQ(setvbuf(f, NULL, _IONBF, 0), 0);
    pthread_t a = start(print, "ab"), b = start(print, "xy");
    join(a);
    join(b);
    CHECK_EQ(read(fd[0], text, 4), 4);
    CHECK(strcmp(text, "abxy") == 0 || strcmp(text, "xyab") == 0);
    CHECK_EQ(fclose(f), 0);
    return ok();
}
