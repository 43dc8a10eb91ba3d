// A thread changes a buffer while write() reads it: the pipe gets the old text or the new one.
// modes: default races kernel tsan
// expect: assertion
#include <assert.h>
#include <pthread.h>
#include <unistd.h>

static char text[2] = "a";

static void* change(void* argument) {
    text[0] = 'b';
    return argument;
}

int main(void) {
    pthread_t thread;
    int ends[2];
    char got = 0;
    pipe(ends);
    pthread_create(&thread, 0, change, 0);
    write(ends[1], text, 1);
    read(ends[0], &got, 1);
    pthread_join(thread, 0);
    assert(got != 'b');
    return 0;
}
