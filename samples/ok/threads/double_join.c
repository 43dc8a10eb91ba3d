/* ok: the first of two threads announces its join before it joins the worker */
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_t worker;
static int joined;
static int result;

static void* work(void* unused) {
    (void)unused;
    pthread_mutex_lock(&m);
    result = 42;
    pthread_mutex_unlock(&m);
    return NULL;
}

static int join_is_mine(void) {
    pthread_mutex_lock(&m);
    const int answer = !joined;
    joined = 1;
    pthread_mutex_unlock(&m);
    return answer;
}

static void* finish(void* unused) {
    (void)unused;
    if (join_is_mine()) pthread_join(worker, NULL);
    return NULL;
}

int main(void) {
    pthread_t closer[2];
    pthread_create(&worker, NULL, work, NULL);
    for (int i = 0; i < 2; ++i) pthread_create(&closer[i], NULL, finish, NULL);
    for (int i = 0; i < 2; ++i) pthread_join(closer[i], NULL);
    return 0;
}
