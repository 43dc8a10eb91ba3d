#include "../two.h"
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int value;
static void* careful(void* unused) {
    pthread_mutex_lock(&lock);
    value = 1;  // race
    pthread_mutex_unlock(&lock);
    return unused;
}
static void* careless(void* unused) {
    const int got = pthread_mutex_trylock(&lock) == 0;
    value = 2;  // race
    if (got) pthread_mutex_unlock(&lock);
    return unused;
}
int main(void) { return run(careful, careless, 0); }
