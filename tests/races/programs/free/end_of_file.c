#include <sys/socket.h>
#include "../two.h"
static int ends[2];
static int data;
static void* give(void* unused) {
    data = 7;
    close(ends[1]);
    return unused;
}
static void* take(void* result) {
    char byte;
    if (read(ends[0], &byte, 1) != 0) abort();
    *(int*)result = data;
    return 0;
}
static void* prepare(void* unused) {
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends) != 0) abort();
    return unused;
}
int main(void) {
    int result = 0;
    pthread_t first;
    pthread_create(&first, 0, prepare, 0);
    pthread_join(first, 0);
    run(give, take, &result);
    return result == 7 ? 0 : 1;
}
