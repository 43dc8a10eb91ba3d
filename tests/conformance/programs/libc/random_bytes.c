/* conformance: getrandom, getentropy, arc4random, arc4random_buf, arc4random_uniform */
#include "check.h"
#include <sys/random.h>

#if defined __GLIBC__ && __GLIBC_PREREQ(2, 36)
#define HAVE_ARC4RANDOM 1
#endif

struct bytes {
    unsigned char a[16], b[16], c[16];
};

static void *body(void *p)
{
    struct bytes *out = (struct bytes *)p;
    CHECK_EQ(getrandom(out->a, sizeof out->a, 0), sizeof out->a);
    CHECK_EQ(getentropy(out->b, sizeof out->b), 0);
    char too_much[300];
    CHECK_ERRNO(getentropy(too_much, sizeof too_much), EIO);
#ifdef HAVE_ARC4RANDOM
    arc4random_buf(out->c, sizeof out->c);
    for (int i = 0; i < 20; i++)
        CHECK(arc4random_uniform(6) < 6);
    CHECK(arc4random() != arc4random() || arc4random() != arc4random());
#else
    CHECK_EQ(getrandom(out->c, sizeof out->c, GRND_NONBLOCK), sizeof out->c);
#endif
    return p;
}

int main(void)
{
    struct bytes one = {0}, two = {0}, zero = {0};
    pthread_t a = start(body, &one), b = start(body, &two);
    join(a);
    join(b);
    CHECK(memcmp(one.a, zero.a, 16) && memcmp(one.b, zero.b, 16) && memcmp(one.c, zero.c, 16));
    CHECK(memcmp(one.a, two.a, 16) && memcmp(one.b, two.b, 16) && memcmp(one.c, two.c, 16));
    CHECK(memcmp(one.a, one.b, 16) && memcmp(one.b, one.c, 16));
    return ok();
}
