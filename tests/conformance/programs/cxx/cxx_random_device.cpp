// conformance: std::random_device: the numbers are not all the same
#include "check.h"
#include <random>

static void *body(void *p)
{
    std::random_device device;
    auto *numbers = static_cast<unsigned *>(p);
    for (int i = 0; i < 4; i++)
        numbers[i] = device();
    return p;
}

int main()
{
    unsigned one[4] = {}, two[4] = {};
    pthread_t a = start(body, one), b = start(body, two);
    join(a);
    join(b);
    CHECK(memcmp(one, two, sizeof one) != 0);
    CHECK(one[0] != one[1] || one[1] != one[2] || one[2] != one[3]);
    return ok();
}
