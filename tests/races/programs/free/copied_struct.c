#include "../two.h"
struct state {
    long part[12];
};
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct state state;
static char name[16] = "a";
static size_t bytes = sizeof state;
static void* change(void* unused) {
    pthread_mutex_lock(&lock);
    memset(&state, 1, *(volatile size_t*)&bytes);
    strcpy(name, *(const char* volatile*)&(const char*){"bcd"});
    pthread_mutex_unlock(&lock);
    return unused;
}
static void* save(void* copy) {
    pthread_mutex_lock(&lock);
    memcpy(copy, &state, *(volatile size_t*)&bytes);
    const size_t length = strlen(name);
    pthread_mutex_unlock(&lock);
    return length == 1 || length == 3 ? 0 : copy;
}
int main(void) {
    struct state copy;
    return run(change, save, &copy);
}
