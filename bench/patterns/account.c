/* bug: transfers lock one account after the other, and an auditor sees money that is on its way; preemptions: 1 */
// account [CLERKS [TRANSFERS]]: 2 clerks with 2 transfers each between 3 accounts, and one auditor.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

enum { accounts = 3, each_holds = 100 };
static struct {
    pthread_mutex_t lock;
    int balance;
} account[accounts];
static int transfers = 2;

static void add(int number, int amount) {
    pthread_mutex_lock(&account[number].lock);
    account[number].balance += amount;
    pthread_mutex_unlock(&account[number].lock);
}

static void* move(void* unused) {
    (void)unused;
    for (int i = 0; i < transfers; ++i) {
        add(i % accounts, -10);
        add((i + 1) % accounts, 10);
    }
    return NULL;
}

static void* audit(void* unused) {
    (void)unused;
    int sum = 0;
    for (int i = 0; i < accounts; ++i) pthread_mutex_lock(&account[i].lock);
    for (int i = 0; i < accounts; ++i) sum += account[i].balance;
    for (int i = 0; i < accounts; ++i) pthread_mutex_unlock(&account[i].lock);
    assert(sum == accounts * each_holds);
    return NULL;
}

int main(int count, char** arguments) {
    const int clerks = count > 1 ? atoi(arguments[1]) : 2;
    if (count > 2) transfers = atoi(arguments[2]);
    pthread_t* thread = calloc(clerks + 1, sizeof *thread);
    for (int i = 0; i < accounts; ++i) {
        pthread_mutex_init(&account[i].lock, NULL);
        account[i].balance = each_holds;
    }
    for (int i = 0; i < clerks; ++i) pthread_create(&thread[i], NULL, move, NULL);
    pthread_create(&thread[clerks], NULL, audit, NULL);
    for (int i = 0; i <= clerks; ++i) pthread_join(thread[i], NULL);
    free(thread);
    return 0;
}
