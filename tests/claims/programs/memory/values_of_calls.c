// Results that calls write into shared memory are read by another thread, guarded by nothing: one call for each
// argument.
// modes: default races kernel tsan
// expect -- semaphore: exit_status
// expect -- clock: exit_status
// expect -- stat: exit_status
// expect -- line: exit_status
// expect -- items: exit_status
// expect -- poll: exit_status
// expect -- pieces: exit_status
// expect -- message: exit_status
// expect -- print: exit_status
// expect -- pipe: exit_status
// expect -- number: exit_status
// expect -- guarded: ok
#define _GNU_SOURCE
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

static union {
    int number;
    struct timespec time;
    struct stat status;
    struct pollfd one;
    char text[32];
    int ends[2];
    char* end;
} shared;
static char* line;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static const char* what;
static sem_t semaphore;
static int ends[2], pair[2];

static int is(const char* name) { return strcmp(what, name) == 0; }

static void* call(void* file) {
    if (is("semaphore")) sem_getvalue(&semaphore, &shared.number);
    if (is("clock")) clock_gettime(CLOCK_REALTIME, &shared.time);
    if (is("stat")) stat("/", &shared.status);
    if (is("line")) {
        size_t bytes = 0;
        getline(&line, &bytes, file);
    }
    if (is("items")) fread(shared.text, 1, 4, file);
    if (is("poll")) poll(&shared.one, 1, 0);
    if (is("pieces")) {
        struct iovec pieces[1] = {{shared.text, 1}};
        readv(ends[0], pieces, 1);
    }
    if (is("message")) {
        struct iovec pieces[1] = {{shared.text, 1}};
        struct msghdr message = {.msg_iov = pieces, .msg_iovlen = 1};
        recvmsg(pair[0], &message, 0);
    }
    if (is("print")) snprintf(shared.text, 8, "%d", 7);
    if (is("pipe")) pipe(shared.ends);
    if (is("number")) strtol("12", &shared.end, 10);
    if (is("guarded")) {
        pthread_mutex_lock(&mutex);
        sem_getvalue(&semaphore, &shared.number);
        sem_getvalue(&semaphore, &shared.number);
        pthread_mutex_unlock(&mutex);
    }
    return 0;
}

static int seen(void) {
    if (is("line")) return line != 0;
    if (is("clock")) return shared.time.tv_sec != 0;
    if (is("stat")) return shared.status.st_mode != 0;
    if (is("poll")) return shared.one.revents != 0;
    if (is("number")) return shared.end != 0;
    if (is("pipe")) return shared.ends[1] != 0;
    if (is("guarded")) {
        pthread_mutex_lock(&mutex);
        int number = shared.number;
        pthread_mutex_unlock(&mutex);
        return number != 0 && number != 3;
    }
    return shared.text[0] != 0;
}

int main(int count, char** values) {
    pthread_t thread;
    what = values[1];
    sem_init(&semaphore, 0, 3);
    pipe(ends);
    socketpair(AF_UNIX, SOCK_STREAM, 0, pair);
    write(ends[1], "x", 1);
    write(pair[1], "x", 1);
    FILE* file = fopen(values[0], "r");
    if (is("poll")) shared.one = (struct pollfd){ends[0], POLLIN, 0};
    pthread_create(&thread, 0, call, file);
    int found = seen();
    pthread_join(thread, 0);
    return found;
}
