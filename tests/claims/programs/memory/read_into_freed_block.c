// read() fills a buffer that main may have freed.
// modes: default races kernel tsan
// expect: misuse
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

static int file;

static void* fill(void* buffer) { return (void*)(long)read(file, buffer, 8); }

int main(int count, char** values) {
    pthread_t thread;
    void* buffer = malloc(64);
    file = open(values[0], O_RDONLY);
    pthread_create(&thread, 0, fill, buffer);
    free(buffer);
    pthread_join(thread, 0);
    return 0;
}
