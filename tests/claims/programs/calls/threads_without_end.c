// Every thread creates the next one, for ever or three in all: a limit of threads ends executions by name.
// modes: default kernel
// expect --max-threads 5: incomplete "more threads than --max-threads allows"
// expect --max-threads 3 -- 3: incomplete "more threads than --max-threads allows"
// expect --max-threads 1 -- 3: incomplete "more threads than --max-threads allows"
// expect --max-threads 4 -- 3: ok
// expect --strategy bounded --max-threads 5: incomplete "more threads than --max-threads allows"
#include <pthread.h>
#include <stdlib.h>
static void* next(void* left) {
    pthread_t thread;
    if (left == NULL || pthread_create(&thread, NULL, next, (void*)((long)left - 1)) != 0) return NULL;
    pthread_join(thread, NULL);
    return NULL;
}
int main(int words, char** word) {
    next((void*)(words > 1 ? atol(word[1]) : 1L << 40));
    return 0;
}
