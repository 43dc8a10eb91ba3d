/* conformance: splice waits for room, and for input */
#include "check.h"
#include <fcntl.h>

static int from[2], to[2];

static void *mover(void *p)
{
    CHECK_EQ(splice(from[0], NULL, to[1], NULL, 4096, 0), 1);
    return p;
}

int main(void)
{
    static char page[4096];
    CHECK_EQ(pipe(from), 0);
    CHECK_EQ(pipe(to), 0);
    CHECK_EQ(fcntl(to[1], F_SETPIPE_SZ, 4096), 4096);
    CHECK_EQ(write(to[1], page, sizeof page), sizeof page);
    pthread_t t = start(mover, NULL);
    CHECK_EQ(write(from[1], "x", 1), 1);
    CHECK_EQ(read(to[0], page, sizeof page), sizeof page);
    CHECK_EQ(read(to[0], page, sizeof page), 1);
    CHECK_EQ(page[0], 'x');
    join(t);
    return ok();
}
