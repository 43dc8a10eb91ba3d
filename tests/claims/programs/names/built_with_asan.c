// AddressSanitizer's runtime runs beside the shim: its heap and its intercepted functions are the shim's.
// build: -fsanitize=address
// modes: default kernel
// native: LeakSanitizer does not work under ptrace
// expect: ok
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static void* nothing(void* p) {
    char* const copy = malloc(8);
    memcpy(copy, p, 8);
    free(copy);
    return p;
}

int main(void) {
    pthread_t thread;
    char* const text = calloc(8, 1);
    pthread_create(&thread, NULL, nothing, text);
    pthread_join(thread, NULL);
    free(text);
    return 0;
}
