/* ok: a transfer holds both accounts from its first access to its last */
#include <assert.h>
#include <pthread.h>

struct account {
    pthread_mutex_t lock;
    int balance;
};

static struct account a = {PTHREAD_MUTEX_INITIALIZER, 100};
static struct account b = {PTHREAD_MUTEX_INITIALIZER, 100};

static void* transfer(void* amount) {
    pthread_mutex_lock(&a.lock);
    pthread_mutex_lock(&b.lock);
    a.balance -= *(int*)amount;
    b.balance += *(int*)amount;
    pthread_mutex_unlock(&b.lock);
    pthread_mutex_unlock(&a.lock);
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
