/* ok: a reader takes a lock that prefers writers only once */
#include <pthread.h>

static pthread_rwlock_t lock;
static int entries = 3;

static int count_locked(void) {
    return entries;
}

static void* report(void* sum) {
    pthread_rwlock_rdlock(&lock);
    *(int*)sum = entries + count_locked();
    pthread_rwlock_unlock(&lock);
    return NULL;
}

static void* add(void* unused) {
    (void)unused;
    pthread_rwlock_wrlock(&lock);
    ++entries;
    pthread_rwlock_unlock(&lock);
    return NULL;
}

int main(void) {
    pthread_t reader, writer;
    pthread_rwlockattr_t attributes;
    int sum;
    pthread_rwlockattr_init(&attributes);
    pthread_rwlockattr_setkind_np(&attributes, PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP);
    pthread_rwlock_init(&lock, &attributes);
    pthread_create(&reader, NULL, report, &sum);
    pthread_create(&writer, NULL, add, NULL);
    pthread_join(reader, NULL);
    pthread_join(writer, NULL);
    pthread_rwlock_destroy(&lock);
    return sum % 2;
}
