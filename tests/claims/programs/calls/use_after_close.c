// One thread uses a descriptor that another one closes: EBADF is a result like any other, and both orders are explored.
// expect -- pipe: exit_status
// expect -- file: exit_status
// expect -- seek: exit_status
// expect -- pread: exit_status
// expect -- twice: exit_status
// expect --outcomes -- pipe: outcomes "ok" "exit_status 1"
// expect --outcomes -- file: outcomes "ok" "exit_status 1"
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static int fd;
static const char* how;

static void* use(void* unused) {
    (void)unused;
    char byte = 'a';
    long result = 0;
    if (strcmp(how, "seek") == 0)
        result = lseek(fd, 0, SEEK_SET);
    else if (strcmp(how, "pread") == 0)
        result = pread(fd, &byte, 1, 0);
    else if (strcmp(how, "twice") == 0)
        result = close(fd);
    else
        result = write(fd, &byte, 1);
    return (void*)(long)(result < 0 && errno == EBADF);
}
static void* end(void* unused) {
    close(fd);
    return unused;
}

int main(int count, char** values) {
    how = count > 1 ? values[1] : "pipe";
    int ends[2];
    if (strcmp(how, "pipe") == 0) {
        if (pipe(ends) != 0) return 9;
        fd = ends[1];
    } else {
        fd = memfd_create("file", 0);
    }
    pthread_t user, closer;
    void* failed;
    pthread_create(&user, NULL, use, NULL);
    pthread_create(&closer, NULL, end, NULL);
    pthread_join(user, &failed);
    pthread_join(closer, NULL);
    return failed != NULL;
}
