/* bug: the balance is changed under the lock but read without it; preemptions: 1 */
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
    printf("%d\n", balance);
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
