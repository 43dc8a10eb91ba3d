/* ok: the balance is changed and read under the lock */
// build: -O2
// run: --memory races
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int balance = 10;

static void* pay_in(void* unused) {
    pthread_mutex_lock(&lock);
    balance += 5;
    pthread_mutex_unlock(&lock);
    return unused;
}

static void* display(void* unused) {
    pthread_mutex_lock(&lock);
    printf("%d\n", balance);
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void) {
    pthread_t cashier, screen;
    pthread_create(&cashier, NULL, pay_in, NULL);
    pthread_create(&screen, NULL, display, NULL);
    pthread_join(cashier, NULL);
    pthread_join(screen, NULL);
    return 0;
}
