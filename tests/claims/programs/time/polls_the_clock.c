// A thread only reads the clock until a second is over, as a busy wait does. Another thread may have written meanwhile, or not.
// expect: ok
// expect -- hurry: assertion
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <time.h>
static atomic_int written;
static void* write_it(void* unused) {
    written = 1;
    return unused;
}
int main(int words, char** word) {
    (void)word;
    pthread_t thread;
    pthread_create(&thread, NULL, write_it, NULL);
    for (const time_t end = time(NULL) + 2; time(NULL) < end;) {
    }
    if (words > 1) assert(written);
    pthread_join(thread, NULL);
    return 0;
}
