/* conformance: flockfile, funlockfile, fopen, fclose */
/* raddle: unseen calls */
#include "check.h"

/* A stream at the address of a closed one has a new lock. */
static void *run(void *p)
{
    for (int i = 0; i < 3; ++i) {
        FILE *f = fopen("/dev/null", "r");
        CHECK(f);
        flockfile(f);
        CHECK_EQ(getc_unlocked(f), EOF);
        funlockfile(f);
        CHECK_EQ(fclose(f), 0);
    }
    return p;
}

int main(void)
{
    run(NULL);
    join(start(run, NULL));
    return ok();
}
