// Prints the LD_PRELOAD that its children would get.
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
static void* body(void* argument) { return argument; }
int main(void) {
    pthread_t thread;
    const char* preloaded = getenv("LD_PRELOAD");
    printf("%s\n", preloaded != 0 ? preloaded : "nothing");
    pthread_create(&thread, 0, body, 0);
    pthread_join(thread, 0);
    return 0;
}
