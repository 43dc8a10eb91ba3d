// Three threads: one writes a word, the others write one half each.
#include <pthread.h>
static volatile union { long word; int half[2]; } u;
static void* whole(void* argument) { u.word = 5; return argument; }
static void* low(void* argument) { u.half[0] = 6; return argument; }
static void* high(void* argument) { u.half[1] = 7; return argument; }
int main(void) {
    pthread_t threads[3];
    pthread_create(&threads[0], 0, whole, 0);
    pthread_create(&threads[1], 0, low, 0);
    pthread_create(&threads[2], 0, high, 0);
    for (int i = 0; i < 3; ++i) pthread_join(threads[i], 0);
    return 0;
}
