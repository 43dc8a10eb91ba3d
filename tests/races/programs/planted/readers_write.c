#include "../two.h"
static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
int hits;
static void* look(void* unused) {
    pthread_rwlock_rdlock(&lock);
    hits = 1;  // race
    pthread_rwlock_unlock(&lock);
    return unused;
}
int main(void) { return run(look, look, 0); }
