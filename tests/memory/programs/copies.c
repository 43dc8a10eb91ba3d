// Runs code in every way in which control can enter and leave a copy of a function, and prints what it did: branches
// into the middle of a block, tables of switches, computed jumps, tiny functions, calls, longjmp, faults, backtraces,
// fork. build: -fno-omit-frame-pointer
#include <execinfo.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

static int words[8] = {3, 1, 4, 1, 5, 9, 2, 6};
static int* volatile at = words;
static long results[64];
static int result_count;
static void tell(long value) { results[result_count++] = value; }

// Short accesses beside each other, and with flags that must survive them.
static long neighbours(int* from) {
    long sum, carry;
    __asm__ volatile(
        "movl (%[p]), %%eax\n\t"
        "movl 4(%[p]), %%ecx\n\t"
        "addl %%ecx, %%eax\n\t"
        "movl %%eax, (%[p])\n\t"
        "cmpl $100, %%eax\n\t"
        "movl (%[p]), %%ecx\n\t"
        "sbbq %%rdx, %%rdx\n\t"
        "leaq (%%rax,%%rcx), %%rax\n\t"
        : "=&a"(sum), "=&d"(carry)
        : [p] "r"(from)
        : "rcx", "memory", "cc");
    return sum * 10 + carry;
}

// A branch enters between two short accesses.
static long entered(int* from, int skip) {
    long sum = 0;
    __asm__ volatile(
        "testl %[skip], %[skip]\n\t"
        "jne 1f\n\t"
        "movl (%[p]), %%eax\n\t"
        "1: addl 4(%[p]), %%eax\n\t"
        "decl %[skip]\n\t"
        "jg 1b\n\t"
        : "+a"(sum), [skip] "+r"(skip)
        : [p] "r"(from)
        : "memory", "cc");
    return sum;
}

// loop and jrcxz have no long form.
static long loops(int* from) {
    long sum = 0, times = 5;
    __asm__ volatile(
        "1: addl (%[p]), %%eax\n\t"
        "loop 1b\n\t"
        "jrcxz 2f\n\t"
        "incl %%eax\n\t"
        "2: addl (%[p]), %%eax\n\t"
        : "+a"(sum), "+c"(times)
        : [p] "r"(from)
        : "memory", "cc");
    return sum;
}

__attribute__((noinline)) static long by_table(int* from, int which) {
    switch (which) {
        case 0: return *from;
        case 1: from[1] += 2; return from[1];
        case 2: return from[2] * 3;
        case 3: from[3]++; return from[3] + from[2];
        case 4: return from[4] - 7;
        case 5: *from = 8; return which;
        case 6: return from[6] ^ from[5];
        case 7: from[7] = from[0]; __attribute__((fallthrough));
        case 8: return from[7];
        default: return -which;
    }
}

__attribute__((noinline)) static long interpreted(int* from, const char* program) {
    static void* const labels[] = {&&load, &&add, &&store, &&stop};
    long value = 0;
    goto* labels[(int)*program];
load:
    value = *from;
    goto* labels[(int)*++program];
add:
    value += from[1];
    goto* labels[(int)*++program];
store:
    *from = (int)value;
    goto* labels[(int)*++program];
stop:
    return value;
}

__attribute__((noinline)) static long tiny(int* from) { return *from; }
__attribute__((noinline)) static void caller_address(int* from) {
    const char* const back = __builtin_return_address(0);
    *from += back != 0;
    tell(back > (char*)&tiny ? 1 : 2);
}

struct shape {
    long (*area)(struct shape*);
    long width;
};
__attribute__((noinline)) static long square(struct shape* one) { return one->width * one->width; }
__attribute__((noinline)) static long area(struct shape* one) {
    one->width++;
    return one->area(one) + one->width;
}

static sigjmp_buf before;
static volatile int faults;
static void on_fault(int signal) {
    faults = faults + signal;
    siglongjmp(before, 1);
}
__attribute__((noinline)) static long faulting(int* from) {
    volatile long progress = 1;
    if (sigsetjmp(before, 1) != 0) return progress * 1000 + faults;
    progress = progress + *from;
    __asm__ volatile("ud2");
    return -1;
}

__attribute__((noinline)) static int frames_of(int* from) {
    void* frames[64];
    *from = *from + 1;
    const int count = backtrace(frames, 64);
    *from = *from - 1;
    int own = 0;
    for (int i = 0; i < count; ++i) own += frames[i] > (void*)&frames_of && (char*)frames[i] < (char*)&frames_of + 400;
    return own;
}

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static void* body(void* argument) {
    pthread_mutex_lock(&mutex);
    int* const mine = at;
    tell(neighbours(mine));
    for (int skip = 0; skip < 3; ++skip) tell(entered(mine, skip));
    tell(loops(mine));
    for (int which = 0; which < 10; ++which) tell(by_table(mine, which));
    tell(interpreted(mine, "\0\1\2\1\3"));
    tell(tiny(mine));
    caller_address(mine);
    struct shape one = {square, 3};
    tell(area(&one));
    tell(faulting(mine));
    tell(frames_of(mine));
    pthread_mutex_unlock(&mutex);
    return argument;
}

int main(void) {
    struct sigaction action = {.sa_handler = on_fault};
    sigaction(SIGILL, &action, 0);
    pthread_t threads[2];
    for (int i = 0; i < 2; ++i) pthread_create(&threads[i], 0, body, 0);
    for (int i = 0; i < 2; ++i) pthread_join(threads[i], 0);
    fflush(stdout);
    const pid_t child = fork();
    if (child == 0) _exit((int)by_table(at, 3) & 15);
    int status = 0;
    waitpid(child, &status, 0);
    tell(WEXITSTATUS(status));
    for (int i = 0; i < result_count; ++i) printf("%d %ld\n", i, results[i]);
    return 0;
}
