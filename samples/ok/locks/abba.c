/* ok: two threads that need two locks take them in the same order */
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t b = PTHREAD_MUTEX_INITIALIZER;
static int from_a, from_b;

static void* a_to_b(void* unused) {
    (void)unused;
    pthread_mutex_lock(&a);
    pthread_mutex_lock(&b);
    --from_a;
    ++from_b;
    pthread_mutex_unlock(&b);
    pthread_mutex_unlock(&a);
    return NULL;
}

static void* b_to_a(void* unused) {
    (void)unused;
    pthread_mutex_lock(&a);
    pthread_mutex_lock(&b);
    ++from_a;
    --from_b;
    pthread_mutex_unlock(&b);
    pthread_mutex_unlock(&a);
    return NULL;
}

int main(void) {
    pthread_t first, second;
    pthread_create(&first, NULL, a_to_b, NULL);
    pthread_create(&second, NULL, b_to_a, NULL);
    pthread_join(first, NULL);
    pthread_join(second, NULL);
    printf("%d %d\n", from_a, from_b);
    return 0;
}
