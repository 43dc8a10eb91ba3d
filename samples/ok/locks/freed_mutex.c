/* ok: an entry is locked before the list's lock is released, so a thread that frees it has to wait */
#include <pthread.h>
#include <stdlib.h>

struct entry {
    pthread_mutex_t lock;
    int uses;
};

static pthread_mutex_t list_lock = PTHREAD_MUTEX_INITIALIZER;
static struct entry* list;

static struct entry* find_and_lock(int take_out) {
    pthread_mutex_lock(&list_lock);
    struct entry* const found = list;
    if (found != NULL) pthread_mutex_lock(&found->lock);
    if (take_out) list = NULL;
    pthread_mutex_unlock(&list_lock);
    return found;
}

static void* use(void* unused) {
    (void)unused;
    struct entry* const entry = find_and_lock(0);
    if (entry == NULL) return NULL;
    ++entry->uses;
    pthread_mutex_unlock(&entry->lock);
    return NULL;
}

static void* drop(void* unused) {
    (void)unused;
    struct entry* const entry = find_and_lock(1);
    pthread_mutex_unlock(&entry->lock);
    pthread_mutex_destroy(&entry->lock);
    free(entry);
    return NULL;
}

int main(void) {
    pthread_t user, dropper;
    list = malloc(sizeof *list);
    list->uses = 0;
    pthread_mutex_init(&list->lock, NULL);
    pthread_create(&user, NULL, use, NULL);
    pthread_create(&dropper, NULL, drop, NULL);
    pthread_join(user, NULL);
    pthread_join(dropper, NULL);
    return 0;
}
