#include "../two.h"
struct state {
    long part[12];
};
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct state state;
static size_t bytes = sizeof state;
static void* change(void* unused) {
    pthread_mutex_lock(&lock);
    state.part[5] = 1;  // race
    pthread_mutex_unlock(&lock);
    return unused;
}
static void* save(void* copy) {
    memcpy(copy, &state, *(volatile size_t*)&bytes);  // race
    return 0;
}
int main(void) {
    struct state copy;
    return run(change, save, &copy);
}
