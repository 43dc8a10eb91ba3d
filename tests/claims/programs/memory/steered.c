// Memory that no call orders steers a program: a claim about calls alone says so, with the variable and both lines.
// modes: default
// expect --memory sync: incomplete "no call orders the accesses to ready" "steered.c:11" "steered.c:16"
// expect --memory sync -- atomic: incomplete "no call orders the accesses to flag"
// expect --memory sync -- locked: ok
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>
static int ready, guarded;
static void* writer(void* unused) {
    ready = 1;
    return unused;
}
static void* reader(void* unused) {
    static int seen;
    seen = ready;
    return seen != 0 ? &seen : unused;
}
static atomic_int flag;
static void* raise_flag(void* unused) {
    flag = 1;
    return unused;
}
static void* read_flag(void* unused) { return flag != 0 ? &flag : unused; }
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static void* count(void* unused) {
    pthread_mutex_lock(&lock);
    ++guarded;
    pthread_mutex_unlock(&lock);
    return unused;
}
int main(int words, char** word) {
    void* (*first)(void*) = words == 1 ? writer : strcmp(word[1], "atomic") == 0 ? raise_flag : count;
    void* (*second)(void*) = words == 1 ? reader : strcmp(word[1], "atomic") == 0 ? read_flag : count;
    pthread_t one, two;
    pthread_create(&one, 0, first, 0);
    pthread_create(&two, 0, second, 0);
    pthread_join(one, 0);
    pthread_join(two, 0);
    return 0;
}
