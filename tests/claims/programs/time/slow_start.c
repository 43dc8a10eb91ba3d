// Main computes before it starts its threads: that says nothing about the memory they share.
// build: -O1
// expect: assertion
// expect -- 300: assertion
#include <pthread.h>
#include <stdlib.h>
static volatile int x, y;
static volatile unsigned long sink;
static void* first(void* unused) {
    x = 1;
    if (y) abort();
    return unused;
}
static void* second(void* unused) {
    y = 1;
    return unused;
}
int main(int words, char** word) {
    const unsigned long millions = words > 1 ? strtoul(word[1], 0, 10) : 1;
    for (unsigned long i = 0; i < millions * 1000000; ++i) sink += i;
    pthread_t one, two;
    pthread_create(&one, 0, first, 0);
    pthread_create(&two, 0, second, 0);
    pthread_join(one, 0);
    pthread_join(two, 0);
    return 0;
}
