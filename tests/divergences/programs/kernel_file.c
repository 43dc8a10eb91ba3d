// A thread reads a file of the kernel with another content each time.
// cause: read() in draw (prog.c:
// cause: the content of a file, pipe or socket
// try: no setting helped
#include <fcntl.h>
#include <pthread.h>
#include <unistd.h>
static pthread_mutex_t locks[8];
static char text[4096];
static unsigned draw(void) {
    const int file = open("/proc/sys/kernel/random/uuid", O_RDONLY);
    const long bytes = read(file, text, sizeof text);
    close(file);
    unsigned hash = 0;
    for (long i = 0; i < bytes; ++i) hash = hash * 31 + (unsigned char)text[i];
    return hash >> 4;
}
static void* body(void* argument) {
    for (int i = 0; i < 6; ++i) {
        pthread_mutex_t* const one = &locks[draw() & 7];
        pthread_mutex_lock(one);
        pthread_mutex_unlock(one);
    }
    return argument;
}
int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, body, 0);
    pthread_join(thread, 0);
    return 0;
}
