// A coroutine runs on a stack that is a variable of main, above other variables that threads use.
// modes: default races kernel
// expect: ok
#include <assert.h>
#include <pthread.h>
#include <ucontext.h>

static ucontext_t main_context, coroutine_context;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void coroutine(void) {
    pthread_mutex_lock(&lock);
    pthread_mutex_unlock(&lock);
}

static void* work(void* argument) {
    pthread_mutex_lock(&lock);
    ++*(int*)argument;
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void) {
    struct {
        int low;
        char stack[65536];
        int high;
    } mine = {.low = 0, .high = 0};
    pthread_t one, two;
    pthread_create(&one, NULL, work, &mine.low);
    pthread_create(&two, NULL, work, &mine.high);
    getcontext(&coroutine_context);
    coroutine_context.uc_stack.ss_sp = mine.stack;
    coroutine_context.uc_stack.ss_size = sizeof mine.stack;
    coroutine_context.uc_link = &main_context;
    makecontext(&coroutine_context, coroutine, 0);
    swapcontext(&main_context, &coroutine_context);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    assert(mine.low == 1 && mine.high == 1);
    return 0;
}
