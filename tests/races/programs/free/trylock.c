#include "../two.h"
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_spinlock_t spin;
static int counter, spun;
static void* count(void* unused) {
    if (pthread_mutex_trylock(&lock) == 0) {
        counter++;
        pthread_mutex_unlock(&lock);
    }
    pthread_spin_lock(&spin);
    spun++;
    pthread_spin_unlock(&spin);
    return unused;
}
int main(void) {
    pthread_spin_init(&spin, 0);
    run(count, count, 0);
    return counter > 0 && spun == 2 ? 0 : 1;
}
