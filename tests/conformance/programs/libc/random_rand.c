/* conformance: rand, srand, random, srandom, drand48, srand48 */
#include "check.h"

/* The same seed gives the same numbers again; the threads draw one after the other. */
struct numbers {
    int r[3];
    long l[3];
    double d[3];
};

static void *draw(void *p)
{
    struct numbers *n = (struct numbers *)p;
    srand(7);
    for (int i = 0; i < 3; i++)
        n->r[i] = rand();
    srandom(8);
    for (int i = 0; i < 3; i++)
        n->l[i] = random();
    srand48(9);
    for (int i = 0; i < 3; i++)
        n->d[i] = drand48();
    return p;
}

int main(void)
{
    struct numbers here, there;
    draw(&here);
    join(start(draw, &there));
    for (int i = 0; i < 3; i++) {
        CHECK(here.r[i] == there.r[i] && here.r[i] >= 0);
        CHECK(here.l[i] == there.l[i] && here.l[i] >= 0);
        CHECK(here.d[i] == there.d[i] && here.d[i] >= 0 && here.d[i] < 1);
    }
    CHECK(here.r[0] != here.r[1] || here.r[1] != here.r[2]);
    return ok();
}
