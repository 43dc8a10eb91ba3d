/* conformance: read, pthread_kill, sigaction with SA_RESTART */
#include "signal_interrupts.h"

/* The handler runs during the read; the read returns only when there is data. */
static int fd[2];

static void *reader(void *p)
{
    char byte = 0;
    CHECK_EQ(read(fd[0], &byte, 1), 1);
    CHECK_EQ(byte, 'x');
    CHECK_EQ(handled, 1);
    return p;
}

int main(void)
{
    CHECK_EQ(pipe(fd), 0);
    handle_signals(SA_RESTART);
    pthread_t t = start(reader, NULL);
    interrupt(t);
    CHECK_EQ(write(fd[1], "x", 1), 1);
    join(t);
    return ok();
}
