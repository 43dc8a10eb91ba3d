#include "../two.h"
static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int value;
static void* look(void* result) {
    pthread_rwlock_rdlock(&lock);
    const int seen = value;
    pthread_rwlock_unlock(&lock);
    pthread_rwlock_wrlock(&lock);
    *(int*)result += seen;
    value = 1;
    pthread_rwlock_unlock(&lock);
    return 0;
}
int main(void) {
    int result = 0;
    return run(look, look, &result);
}
