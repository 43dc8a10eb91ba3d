#include "../two.h"
static atomic_int ready;
static int data;
static void* give(void* unused) {
    atomic_store(&ready, 1);
    data = 7;  // race
    return unused;
}
static void* take(void* result) {
    if (atomic_load(&ready)) *(int*)result = data;  // race
    return 0;
}
int main(void) {
    int result = 0;
    return run(give, take, &result);
}
