#include "../two.h"
static pthread_barrier_t both;
static int value[2], sum[2];
static void* work(void* place, int which) {
    value[which] = which + 1;
    pthread_barrier_wait(&both);
    sum[which] = value[0] + value[1];
    pthread_barrier_wait(&both);
    value[1 - which] = 0;
    return place;
}
static void* one(void* place) { return work(place, 0); }
static void* other(void* place) { return work(place, 1); }
int main(void) {
    pthread_barrier_init(&both, 0, 2);
    run(one, other, 0);
    return sum[0] == 3 && sum[1] == 3 ? 0 : 1;
}
