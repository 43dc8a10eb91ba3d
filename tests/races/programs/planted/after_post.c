#include "../two.h"
static sem_t posted;
static int data;
static void* give(void* unused) {
    sem_post(&posted);
    data = 7;  // race
    return unused;
}
static void* take(void* result) {
    sem_wait(&posted);
    *(int*)result = data;  // race
    return 0;
}
int main(void) {
    int result = 0;
    sem_init(&posted, 0, 0);
    return run(give, take, &result);
}
