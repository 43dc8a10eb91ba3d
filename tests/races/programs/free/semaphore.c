#include "../two.h"
static sem_t posted;
static int data;
static void* give(void* unused) {
    data = 7;
    sem_post(&posted);
    return unused;
}
static void* take(void* result) {
    sem_wait(&posted);
    *(int*)result = data;
    return 0;
}
int main(void) {
    int result = 0;
    sem_init(&posted, 0, 0);
    run(give, take, &result);
    return result == 7 ? 0 : 1;
}
