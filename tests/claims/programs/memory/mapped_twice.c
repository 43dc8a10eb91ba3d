// The same file is mapped twice: a lock, a semaphore, and a variable are one object at both addresses.
// expect -- lock: ok
// expect -- sem: ok
// expect -- data: assertion
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

struct Shared {
    pthread_mutex_t mutex;
    sem_t semaphore;
    int value;
};
static struct Shared *one, *other;
static const char* how;

static void* use(void* unused) {
    if (strcmp(how, "lock") == 0) return (void*)(long)(pthread_mutex_trylock(&other->mutex) == EBUSY);
    if (strcmp(how, "sem") == 0) return (void*)(long)(sem_wait(&other->semaphore) == 0);
    other->value = other->value + 1;
    (void)unused;
    return (void*)1;
}

int main(int count, char** values) {
    how = count > 1 ? values[1] : "lock";
    const int fd = memfd_create("shared", 0);
    if (ftruncate(fd, 4096) != 0) return 9;
    one = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    other = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    pthread_mutexattr_t shared;
    pthread_mutexattr_init(&shared);
    pthread_mutexattr_setpshared(&shared, PTHREAD_PROCESS_SHARED);
    pthread_mutex_init(&one->mutex, &shared);
    sem_init(&one->semaphore, 1, 0);
    pthread_mutex_lock(&one->mutex);
    pthread_t thread;
    void* result;
    pthread_create(&thread, NULL, use, NULL);
    sem_post(&one->semaphore);
    if (strcmp(how, "data") == 0) one->value = one->value + 1;
    pthread_join(thread, &result);
    if (strcmp(how, "data") == 0) assert(one->value == 2);
    return result == NULL;
}
