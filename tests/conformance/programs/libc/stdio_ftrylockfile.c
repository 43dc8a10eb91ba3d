/* conformance: ftrylockfile, flockfile, funlockfile */
#include "check.h"

static FILE *f;

static void *while_taken(void *p)
{
    CHECK(ftrylockfile(f) != 0);
    return p;
}

static void *while_free(void *p)
{
    CHECK_EQ(ftrylockfile(f), 0);
    CHECK_EQ(ftrylockfile(f), 0); /* the owner locks it again */
    funlockfile(f);
    funlockfile(f);
    return p;
}

int main(void)
{
    CHECK((f = fopen("/dev/null", "w")));
    flockfile(f);
    join(start(while_taken, NULL));
    funlockfile(f);
    join(start(while_free, NULL));
    CHECK_EQ(fclose(f), 0);
    return ok();
}
