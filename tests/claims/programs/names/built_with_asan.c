// AddressSanitizer's runtime takes over the heap and calls that raddle takes over, too.
// build: -fsanitize=address
// expect: refused "built with AddressSanitizer"
#include <pthread.h>

static void* nothing(void* p) { return p; }

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, nothing, NULL);
    pthread_join(thread, NULL);
    return 0;
}
