/* bug: pop tests in one critical section that the stack is not empty, and takes in another; preemptions: 1 */
// stack [N]: N threads (2) push one item and pop one; a further one pops whenever there is something.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int item[64];
static int height;

static int is_empty(void) {
    pthread_mutex_lock(&lock);
    const int empty = height == 0;
    pthread_mutex_unlock(&lock);
    return empty;
}

static void push(int value) {
    pthread_mutex_lock(&lock);
    assert(height < 64);
    item[height++] = value;
    pthread_mutex_unlock(&lock);
}

static int pop(void) {
    pthread_mutex_lock(&lock);
    assert(height > 0);
    const int value = item[--height];
    pthread_mutex_unlock(&lock);
    return value;
}

static void* push_and_pop(void* unused) {
    (void)unused;
    push(7);
    if (!is_empty()) pop();
    return NULL;
}

static void* only_pop(void* unused) {
    (void)unused;
    if (!is_empty()) pop();
    return NULL;
}

int main(int count, char** arguments) {
    const int each = count > 1 ? atoi(arguments[1]) : 2;
    pthread_t* thread = calloc(each + 1, sizeof *thread);
    for (int i = 0; i < each; ++i) pthread_create(&thread[i], NULL, push_and_pop, NULL);
    pthread_create(&thread[each], NULL, only_pop, NULL);
    for (int i = 0; i <= each; ++i) pthread_join(thread[i], NULL);
    free(thread);
    return 0;
}
