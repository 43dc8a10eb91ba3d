// The threads meet only through an instruction that raddle does not follow: a bit, set by its number.
// expect: incomplete "touches a bit by its number"
// expect -- 1: ok
// modes: default races kernel
#include <assert.h>
#include <pthread.h>
static unsigned long bits[2];
static int set(long number) {
    unsigned char was_set;
    __asm__ volatile("btsq %2, %1\n\tsetc %0" : "=q"(was_set), "+m"(bits) : "r"(number) : "cc");
    return was_set;
}
static void* work(void* unused) {
    set(70);
    return unused;
}
int main(int words, char** word) {
    (void)word;
    const int count = words > 1 ? 1 : 2;
    pthread_t threads[2];
    for (int i = 0; i < count; ++i) pthread_create(&threads[i], NULL, work, NULL);
    for (int i = 0; i < count; ++i) pthread_join(threads[i], NULL);
    return 0;
}
