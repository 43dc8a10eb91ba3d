// The buffer that read() fills is read by another thread: a data race, and two results.
// modes: default races kernel tsan
// expect --memory races: exit_status, race
// expect: exit_status
#include <fcntl.h>
#include <pthread.h>
#include <unistd.h>

static char buffer[4];
static int file;

static void* fill(void* argument) { return (void*)(long)read(file, buffer, 3); }

int main(int count, char** values) {
    pthread_t thread;
    file = open(values[0], O_RDONLY);
    pthread_create(&thread, 0, fill, 0);
    char found = buffer[0];
    pthread_join(thread, 0);
    return found != 0;
}
