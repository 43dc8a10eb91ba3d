// A thread on a stack that the program allocated: by malloc, by mmap, or static. It can be joined, and its frames
// belong to it.
// expect -- heap: ok
// expect -- map: ok
// expect -- static: ok
// expect -- shared: assertion
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum { bytes = 1 << 18 };
static char memory[bytes] __attribute__((aligned(4096)));
static int* shared;

static void* add(void* unused) {
    int here = 1;
    asm volatile("" : "+m"(here));
    if (shared != NULL) *shared = *shared + here;
    return unused;
}

int main(int count, char** values) {
    const char* how = count > 1 ? values[1] : "heap";
    void* stack = memory;
    if (strcmp(how, "map") == 0) stack = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (strcmp(how, "heap") == 0 || strcmp(how, "shared") == 0)
        if (posix_memalign(&stack, 4096, bytes) != 0) return 9;
    if (strcmp(how, "shared") == 0) shared = calloc(1, sizeof *shared);  // above the stack in the heap
    pthread_attr_t attributes;
    pthread_t thread;
    pthread_attr_init(&attributes);
    assert(pthread_attr_setstack(&attributes, stack, bytes) == 0);
    assert(pthread_create(&thread, &attributes, add, NULL) == 0);
    if (shared != NULL) *shared = *shared + 1;
    assert(pthread_join(thread, NULL) == 0);
    if (shared != NULL) assert(*shared == 2);
    return 0;
}
