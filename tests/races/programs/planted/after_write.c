#include "../two.h"
static int ends[2];
static int data;
static void* give(void* unused) {
    if (write(ends[1], "x", 1) != 1) abort();
    data = 7;  // race
    return unused;
}
static void* take(void* result) {
    char byte;
    if (read(ends[0], &byte, 1) != 1) abort();
    *(int*)result = data;  // race
    return 0;
}
static void* prepare(void* unused) {
    if (pipe(ends) != 0) abort();
    return unused;
}
int main(void) {
    int result = 0;
    pthread_t first;
    pthread_create(&first, 0, prepare, 0);
    pthread_join(first, 0);
    return run(give, take, &result);
}
