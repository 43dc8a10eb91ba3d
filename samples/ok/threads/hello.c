/* ok: two threads print a line each, in any order */
#include <pthread.h>
#include <stdio.h>

static void* greet(void* name) {
    printf("hello from %s\n", (const char*)name);
    return NULL;
}

int main(void) {
    pthread_t warp, weft;
    pthread_create(&warp, NULL, greet, "warp");
    pthread_create(&weft, NULL, greet, "weft");
    pthread_join(warp, NULL);
    pthread_join(weft, NULL);
    return 0;
}
