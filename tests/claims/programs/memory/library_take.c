// The threads meet in the memory of a library that the program is linked with.
// libraries: take
// expect: assertion
#include <pthread.h>
#include <stdlib.h>
int take(void);
static void* taker(void* mark) { return take() ? mark : NULL; }
int main(void) {
    pthread_t threads[2];
    void* results[2];
    for (long i = 0; i < 2; ++i) pthread_create(&threads[i], NULL, taker, (void*)(i + 1));
    for (int i = 0; i < 2; ++i) pthread_join(threads[i], &results[i]);
    if (results[0] && results[1]) abort();
    return 0;
}
