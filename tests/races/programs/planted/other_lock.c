#include "../two.h"
static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
int balance;
static void* deposit(void* unused) {
    pthread_mutex_lock(&a);
    balance = 5;  // race
    pthread_mutex_unlock(&a);
    return unused;
}
static void* withdraw(void* unused) {
    pthread_mutex_lock(&b);
    balance = 3;  // race
    pthread_mutex_unlock(&b);
    return unused;
}
int main(void) { return run(deposit, withdraw, 0); }
