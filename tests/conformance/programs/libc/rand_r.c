/* conformance: rand_r, random_r, drand48_r */
#include "check.h"

/* Each thread has its own state: numbers drawn by the other thread have no effect on it. */
struct run {
    unsigned seed;
    int r[4];
    double d[4];
};

static void *draw(void *p)
{
    struct run *run = (struct run *)p;
    struct drand48_data data;
    unsigned state = run->seed;
    srand48_r((long)run->seed, &data);
    for (int i = 0; i < 4; i++) {
        run->r[i] = rand_r(&state);
        drand48_r(&data, &run->d[i]);
    }
    return p;
}

int main(void)
{
    struct run a = {.seed = 1}, b = {.seed = 2}, again = {.seed = 1};
    pthread_t one = start(draw, &a), two = start(draw, &b);
    join(one);
    join(two);
    draw(&again);
    CHECK(memcmp(a.r, again.r, sizeof a.r) == 0);
    CHECK(memcmp(a.d, again.d, sizeof a.d) == 0);
    CHECK(memcmp(a.r, b.r, sizeof a.r) != 0);
    return ok();
}
