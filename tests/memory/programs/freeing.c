// Each thread runs the letters of its argument, one after another, on two blocks that main allocates.
//   A a    locks and unlocks a mutex
//   1 2    writes `wide` or `other` of the first block
//   x y    reads `wide` of the first block, or `narrow` of the second
//   f g    frees the first block, or the second
#include <pthread.h>
#include <stdlib.h>

struct block {
    long wide;
    int narrow, other;
};

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static struct block* first;
static struct block* second;

static void* play(void* script) {
    volatile struct block* const p = first;
    volatile struct block* const q = second;
    long seen = 0;
    for (const char* letter = (const char*)script; *letter != 0; ++letter) {
        switch (*letter) {
            case 'A': pthread_mutex_lock(&mutex); break;
            case 'a': pthread_mutex_unlock(&mutex); break;
            case '1': p->wide = 3; break;
            case '2': p->other = 4; break;
            case 'x': seen += p->wide; break;
            case 'y': seen += q->narrow; break;
            case 'f': free((void*)p); break;
            case 'g': free((void*)q); break;
        }
    }
    return (void*)seen;
}

int main(int count, char** script) {
    enum { most = 4 };
    pthread_t thread[most];
    first = (struct block*)calloc(1, sizeof *first);
    second = (struct block*)calloc(1, sizeof *second);
    for (int i = 1; i < count && i < most; ++i) pthread_create(&thread[i], 0, play, script[i]);
    for (int i = 1; i < count && i < most; ++i) pthread_join(thread[i], 0);
    return 0;
}
