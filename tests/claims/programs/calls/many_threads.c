// Natively more than 4,096 threads can exist. raddle cannot control so many, and says so instead of a made-up EAGAIN.
// modes: default
// expect --memory sync -- 4200: refused "more threads"
#include <pthread.h>
#include <stdlib.h>

static void* nothing(void* unused) { return unused; }

int main(int count, char** values) {
    const int wanted = count > 1 ? atoi(values[1]) : 0;
    for (int i = 0; i < wanted; ++i) {
        pthread_t thread;
        if (pthread_create(&thread, NULL, nothing, NULL) != 0) return 1;
        pthread_detach(thread);
    }
    return 0;
}
