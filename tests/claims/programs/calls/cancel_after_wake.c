// A thread that was woken from a condition wait may still act on a cancellation, and one that was cancelled may be woken.
// expect --outcomes: outcomes "ok: cancelled" "ok: woken"
// expect --outcomes -- first: outcomes "ok: cancelled" "ok: woken"
#include <pthread.h>
#include <semaphore.h>
#include <unistd.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static sem_t began;

static void unlock(void* unused) {
    (void)unused;
    pthread_mutex_unlock(&mutex);
}

static void* wait_once(void* unused) {
    pthread_mutex_lock(&mutex);
    pthread_cleanup_push(unlock, NULL);
    sem_post(&began);
    pthread_cond_wait(&condition, &mutex);
    pthread_cleanup_pop(1);
    return unused;
}

int main(int count, char** words) {
    (void)words;
    sem_init(&began, 0, 0);
    pthread_t thread;
    pthread_create(&thread, NULL, wait_once, NULL);
    sem_wait(&began);
    pthread_mutex_lock(&mutex);  // the thread waits
    if (count > 1) pthread_cancel(thread);
    pthread_cond_broadcast(&condition);
    if (count == 1) pthread_cancel(thread);
    pthread_mutex_unlock(&mutex);
    void* end;
    pthread_join(thread, &end);
    if (end == PTHREAD_CANCELED)
        (void)!write(1, "cancelled", 9);
    else
        (void)!write(1, "woken", 5);
    return 0;
}
