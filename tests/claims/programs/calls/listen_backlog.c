// The kernel limits the backlog of listen() and takes it for an unsigned number: a thread of the program can
// connect with any of them. A second call changes it.
// expect -- 2147483647: ok
// expect -- -1: ok
// expect -- 0: ok
// expect -- again: ok
#include <arpa/inet.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

static struct sockaddr_in address = {.sin_family = AF_INET};

static void* connect_and_read(void* unused) {
    char byte;
    const int fd = socket(AF_INET, SOCK_STREAM, 0);
    if (connect(fd, (struct sockaddr*)&address, sizeof address) != 0) abort();
    if (read(fd, &byte, 1) != 0) abort();
    close(fd);
    return unused;
}

int main(int count, char** values) {
    const int again = count > 1 && strcmp(values[1], "again") == 0;
    socklen_t length = sizeof address;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    const int fd = socket(AF_INET, SOCK_STREAM, 0);
    if (bind(fd, (struct sockaddr*)&address, sizeof address) != 0) abort();
    if (getsockname(fd, (struct sockaddr*)&address, &length) != 0) abort();
    if (listen(fd, again || count < 2 ? 0 : atoi(values[1])) != 0) abort();
    if (again && listen(fd, 1) != 0) abort();
    const int clients = 1;
    pthread_t threads[1];
    for (int i = 0; i < clients; ++i) pthread_create(&threads[i], NULL, connect_and_read, NULL);
    for (int i = 0; i < clients; ++i) close(accept(fd, NULL, NULL));
    for (int i = 0; i < clients; ++i) pthread_join(threads[i], NULL);
    return 0;
}
