// The data is read only after the flag, so its two accesses are never adjacent: the race is on the flag.
#include "../two.h"
static int ready, data;
static void* give(void* unused) {
    data = 7;
    __asm__ volatile("" ::: "memory");
    ready = 1;  // race
    return unused;
}
static void* take(void* unused) {
    if (!ready) return unused;  // race
    __asm__ volatile("" ::: "memory");
    return data == 7 ? unused : 0;
}
int main(void) { return run(give, take, 0); }
