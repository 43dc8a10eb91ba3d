// The deque of Chase and Lev: the owner pushes N and pops N, one thief steals N.
#include <pthread.h>
#include <stdatomic.h>
#ifndef N
#define N 4
#endif
static atomic_int top, bottom, buffer[16], taken[17];
static void push(int value) {
    const int b = bottom;
    buffer[b & 15] = value;
    bottom = b + 1;
}
static int pop(void) {
    const int b = bottom - 1;
    bottom = b;
    int t = top;
    if (t > b) {
        bottom = b + 1;
        return 0;
    }
    int value = buffer[b & 15];
    if (t == b) {
        if (!atomic_compare_exchange_strong(&top, &t, t + 1)) value = 0;
        bottom = b + 1;
    }
    return value;
}
static int steal(void) {
    int t = top;
    const int b = bottom;
    if (t >= b) return 0;
    const int value = buffer[t & 15];
    return atomic_compare_exchange_strong(&top, &t, t + 1) ? value : 0;
}
static void* own(void* unused) {
    (void)unused;
    for (int i = 1; i <= N; ++i) push(i);
    for (int i = 0; i < N; ++i) {
        const int value = pop();
        if (value != 0) atomic_fetch_add(&taken[value], 1);
    }
    return 0;
}
static void* thieve(void* unused) {
    (void)unused;
    for (int i = 0; i < N; ++i) {
        const int value = steal();
        if (value != 0) atomic_fetch_add(&taken[value], 1);
    }
    return 0;
}
int main(void) {
    pthread_t owner, thief;
    pthread_create(&owner, 0, own, 0);
    pthread_create(&thief, 0, thieve, 0);
    pthread_join(owner, 0);
    pthread_join(thief, 0);
    return 0;
}
