#include "../two.h"
static atomic_int ready, tickets;
static int data, mine[3];
static void* give(void* unused) {
    data = 7;
    atomic_store(&ready, 1);
    mine[atomic_fetch_add(&tickets, 1)] = 1;
    return unused;
}
static void* take(void* result) {
    if (atomic_load(&ready)) *(int*)result = data;
    mine[atomic_fetch_add(&tickets, 1)] = 2;
    return 0;
}
int main(void) {
    int result = 0;
    run(give, take, &result);
    return mine[0] + mine[1] == 3 ? 0 : 1;
}
