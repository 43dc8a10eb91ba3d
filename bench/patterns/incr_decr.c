/* bug: incr and decr look up an item under its lock, but compute and store without it, so an update is lost; preemptions: 1 */
// incr_decr [WORKERS [REQUESTS]]: 4 workers take 6 requests from a queue, as the threads of a cache server do.
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct item {
    struct item* next;
    char key[16], value[16];
};

static struct item* bucket[8];
static pthread_mutex_t bucket_lock[8];
static pthread_mutex_t queue_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t queue_changed = PTHREAD_COND_INITIALIZER;
static int requests = 6, queued, started, closed;

static unsigned hash(const char* key) {
    unsigned h = 5381;
    while (*key) h = h * 33 + (unsigned char)*key++;
    return h % 8;
}

static struct item* find(const char* key) {
    const unsigned h = hash(key);
    pthread_mutex_lock(&bucket_lock[h]);
    struct item* item = bucket[h];
    while (item && strcmp(item->key, key) != 0) item = item->next;
    pthread_mutex_unlock(&bucket_lock[h]);
    return item;
}

static void add_delta(const char* key, int delta) {
    struct item* item = find(key);
    const int sum = atoi(item->value) + delta;
    pthread_mutex_lock(&bucket_lock[hash(key)]);
    snprintf(item->value, sizeof item->value, "%d", sum);
    pthread_mutex_unlock(&bucket_lock[hash(key)]);
}

static void* work(void* unused) {
    (void)unused;
    for (;;) {
        pthread_mutex_lock(&queue_lock);
        while (started == queued && !closed) pthread_cond_wait(&queue_changed, &queue_lock);
        const int mine = started < queued ? started++ : -1;
        pthread_mutex_unlock(&queue_lock);
        if (mine < 0) return NULL;
        add_delta("hits", mine % 3 == 2 ? -1 : 2);
    }
}

int main(int count, char** arguments) {
    const int workers = count > 1 ? atoi(arguments[1]) : 4;
    if (count > 2) requests = atoi(arguments[2]);
    static struct item hits = {NULL, "hits", "100"};
    pthread_t* thread = calloc(workers, sizeof *thread);
    for (int i = 0; i < 8; ++i) pthread_mutex_init(&bucket_lock[i], NULL);
    bucket[hash("hits")] = &hits;
    for (int i = 0; i < workers; ++i) pthread_create(&thread[i], NULL, work, NULL);
    for (int i = 0; i <= requests; ++i) {
        pthread_mutex_lock(&queue_lock);
        if (i < requests) ++queued;
        else closed = 1;
        pthread_cond_broadcast(&queue_changed);
        pthread_mutex_unlock(&queue_lock);
    }
    for (int i = 0; i < workers; ++i) pthread_join(thread[i], NULL);
    int expected = 100;
    for (int i = 0; i < requests; ++i) expected += i % 3 == 2 ? -1 : 2;
    assert(atoi(hits.value) == expected);
    free(thread);
    return 0;
}
