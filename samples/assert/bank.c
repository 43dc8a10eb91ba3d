/* bug: each access to an account is locked, but the transfer as a whole is not; preemptions: 1 */
#include <assert.h>
#include <pthread.h>

struct account {
    pthread_mutex_t lock;
    int balance;
};

static struct account a = {PTHREAD_MUTEX_INITIALIZER, 100};
static struct account b = {PTHREAD_MUTEX_INITIALIZER, 100};

static int balance_of(struct account* account) {
    pthread_mutex_lock(&account->lock);
    const int balance = account->balance;
    pthread_mutex_unlock(&account->lock);
    return balance;
}

static void set_balance(struct account* account, int balance) {
    pthread_mutex_lock(&account->lock);
    account->balance = balance;
    pthread_mutex_unlock(&account->lock);
}

static void* transfer(void* amount) {
    set_balance(&a, balance_of(&a) - *(int*)amount);
    set_balance(&b, balance_of(&b) + *(int*)amount);
    return NULL;
}

int main(void) {
    pthread_t clerk[2];
    int amount[2] = {10, 20};
    for (int i = 0; i < 2; ++i) pthread_create(&clerk[i], NULL, transfer, &amount[i]);
    for (int i = 0; i < 2; ++i) pthread_join(clerk[i], NULL);
    assert(a.balance + b.balance == 200);
    return 0;
}
