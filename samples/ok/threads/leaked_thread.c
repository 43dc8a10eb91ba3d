/* ok: main returns while a thread that nobody joins waits forever */
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t never = PTHREAD_COND_INITIALIZER;
static int visits;

static void visit(void) {
    pthread_mutex_lock(&m);
    ++visits;
    pthread_mutex_unlock(&m);
}

static void* wait_for_ever(void* unused) {
    (void)unused;
    visit();
    pthread_mutex_lock(&m);
    while (visits > 0) pthread_cond_wait(&never, &m);
    pthread_mutex_unlock(&m);
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, wait_for_ever, NULL);
    visit();
    return 0;
}
