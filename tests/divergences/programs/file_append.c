// Each execution appends to a file and asks for its size.
// options: --memory sync
// cause: lseek() in draw (prog.c:
// cause: the state of a file
// try: --workdir-copy
#include <fcntl.h>
#include <pthread.h>
#include <unistd.h>
static pthread_mutex_t locks[8];
static unsigned draw(void) {
    const int file = open("grown", O_RDWR | O_CREAT | O_APPEND, 0600);
    const long bytes = lseek(file, 0, SEEK_END);
    if (write(file, "x", 1) != 1) return 0;
    close(file);
    return bytes / 2;
}
static void* body(void* argument) {
    for (int i = 0; i < 4; ++i) {
        pthread_mutex_t* const one = &locks[draw() & 7];
        pthread_mutex_lock(one);
        pthread_mutex_unlock(one);
    }
    return argument;
}
int main(void) {
    pthread_t threads[2];
    for (int i = 0; i < 2; ++i) pthread_create(&threads[i], 0, body, 0);
    for (int i = 0; i < 2; ++i) pthread_join(threads[i], 0);
    return 0;
}
