// One of two threads writes a variable repeatedly: by an instruction with room for a jump, by one without, or by compiler
// output: touch jump|trap|plain TIMES [shared]. If the variable is shared, the other thread reads it once.
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
static int variable __attribute__((aligned(64))), other __attribute__((aligned(64)));
static int* volatile place = &variable;
static long times;
static char how;
static void* writer(void* argument) {
    int* const at = place;
    for (long i = 0; i < times; ++i) {
        const int value = (int)i;
        if (how == 'j')
            __asm__ volatile("movl %0, 0x12345678(%1)" : : "r"(value), "r"((char*)at - 0x12345678) : "memory");
        else if (how == 't')
            __asm__ volatile("movl %0, (%1)" : : "r"(value), "r"(at) : "memory");
        else
            *(volatile int*)at = value;
    }
    return argument;
}
static void* reader(void* argument) { return *(volatile int*)argument < 0 ? argument : 0; }
int main(int argc, char** argv) {
    pthread_t threads[2];
    how = argc > 1 ? argv[1][0] : 'p';
    times = argc > 2 ? atol(argv[2]) : 1;
    pthread_create(&threads[0], 0, writer, 0);
    pthread_create(&threads[1], 0, reader, argc > 3 && strcmp(argv[3], "shared") == 0 ? (void*)&variable : (void*)&other);
    for (int i = 0; i < 2; ++i) pthread_join(threads[i], 0);
    return 0;
}
