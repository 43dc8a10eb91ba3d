// T1 calls a cancellation point with a lock and without a cleanup handler; T0 cancels it and takes the lock. The
// points of POSIX and glibc act on the request, so the lock may stay locked. posix_spawn, printf into a buffer and
// getpid do not.
// expect -- write: deadlock
// expect -- open: deadlock
// expect -- close: deadlock
// expect -- pread: deadlock
// expect -- fsync: deadlock
// expect -- flush: deadlock
// expect -- fopen: deadlock
// expect -- printf: ok
// expect -- getpid: ok
// expect -- dup: ok
// expect -- socket: ok
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int fd;
static const char* how;

static int is(const char* name) { return strcmp(how, name) == 0; }

static void* work(void* unused) {
    char byte = 'x';
    pthread_mutex_lock(&mutex);
    if (is("write")) (void)!write(fd, &byte, 1);
    if (is("open")) open("/dev/null", O_RDONLY);
    if (is("close")) close(fd);
    if (is("pread")) (void)!pread(fd, &byte, 1, 0);
    if (is("fsync")) fsync(fd);
    if (is("flush")) {
        printf("x");
        fflush(stdout);
    }
    if (is("fopen")) fopen("/dev/null", "r");
    if (is("printf")) printf("x");
    if (is("getpid")) getpid();
    if (is("dup")) dup(fd);
    if (is("socket")) socket(AF_INET, SOCK_STREAM, 0);
    pthread_mutex_unlock(&mutex);
    return unused;
}

int main(int count, char** values) {
    how = count > 1 ? values[1] : "write";
    fd = open("/dev/null", O_RDWR);
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    pthread_cancel(thread);
    pthread_join(thread, NULL);
    pthread_mutex_lock(&mutex);
    pthread_mutex_unlock(&mutex);
    return 0;
}
