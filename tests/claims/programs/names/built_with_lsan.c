// The runtime of LeakSanitizer takes over the heap and calls that raddle takes over, too.
// build: -fsanitize=leak
// expect: refused "built with LeakSanitizer"
#include <pthread.h>

static void* nothing(void* p) { return p; }

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, nothing, NULL);
    pthread_join(thread, NULL);
    return 0;
}
