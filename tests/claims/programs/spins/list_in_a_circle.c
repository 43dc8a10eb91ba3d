// Two threads put the same node into a list, which becomes a circle. Main then walks along it for ever.
// expect: livelock
// expect -- 1: ok
#include <pthread.h>
#include <stddef.h>
struct node {
    struct node* next;
    int is_listed;
};
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static struct node* list;
static struct node shared;
static int is_listed(const struct node* node) {
    pthread_mutex_lock(&mutex);
    const int answer = node->is_listed;
    pthread_mutex_unlock(&mutex);
    return answer;
}
static void* put(void* unused) {
    if (is_listed(&shared)) return unused;
    pthread_mutex_lock(&mutex);
    shared.next = list;
    list = &shared;
    shared.is_listed = 1;
    pthread_mutex_unlock(&mutex);
    return unused;
}
int main(int words, char** word) {
    (void)word;
    const int count = words > 1 ? 1 : 2;
    pthread_t threads[2];
    for (int i = 0; i < count; ++i) pthread_create(&threads[i], NULL, put, NULL);
    for (int i = 0; i < count; ++i) pthread_join(threads[i], NULL);
    int length = 0;
    for (const struct node* node = list; node != NULL; node = node->next) length = (length + 1) % 1000;
    return length != 1;
}
