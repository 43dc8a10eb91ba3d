/* conformance: getc, fgets, fdopen, pipe, write */
#include "check.h"

/* Two threads read lines from one stream; each line goes to one of them. */
static FILE *f;

static void *read_line(void *p)
{
    CHECK(fgets((char *)p, 8, f) == p);
    return p;
}

int main(void)
{
    int fd[2];
    char a_line[8] = "", b_line[8] = "";
    CHECK_EQ(pipe(fd), 0);
    CHECK((f = fdopen(fd[0], "r")));
    pthread_t a = start(read_line, a_line), b = start(read_line, b_line);
    CHECK_EQ(write(fd[1], "one\n", 4), 4); /* one thread waits for it, and holds the stream's lock */
    CHECK_EQ(write(fd[1], "two\n", 4), 4);
    join(a);
    join(b);
    CHECK((strcmp(a_line, "one\n") == 0 && strcmp(b_line, "two\n") == 0) || (strcmp(a_line, "two\n") == 0 && strcmp(b_line, "one\n") == 0));
    CHECK_EQ(close(fd[1]), 0);
    CHECK_EQ(getc(f), EOF);
    CHECK_EQ(fclose(f), 0);
    return ok();
}
