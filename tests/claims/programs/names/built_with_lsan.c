// The runtime of LeakSanitizer counts no blocks under raddle: the heap is the shim's. So the result says that leaks are not
// looked for.
// build: -fsanitize=leak
// native: LeakSanitizer does not work under ptrace
// expect: ok
#include <pthread.h>

static void* nothing(void* p) { return p; }

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, nothing, NULL);
    pthread_join(thread, NULL);
    return 0;
}
