// UndefinedBehaviorSanitizer only adds checks.
// build: -fsanitize=undefined
// expect: ok
#include <pthread.h>

static void* nothing(void* p) { return p; }

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, nothing, NULL);
    pthread_join(thread, NULL);
    return 0;
}
