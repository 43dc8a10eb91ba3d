// A process and its child share a lock or a semaphore. raddle does not model it, and says so instead of a made-up
// verdict.
// expect -- mutex: refused "process"
// expect -- child: refused "process"
// expect -- sem: refused "process"
// expect -- named: refused "process"
// expect -- private: ok
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

struct Shared {
    pthread_mutex_t mutex;
    sem_t semaphore;
    int result;
};
static struct Shared* shared;
static sem_t* named;

static int use_in_child(const char* how) {
    if (strcmp(how, "mutex") == 0) return 0;
    if (strcmp(how, "child") == 0) shared->result = pthread_mutex_trylock(&shared->mutex);
    if (strcmp(how, "sem") == 0) sem_post(&shared->semaphore);
    if (strcmp(how, "named") == 0) sem_post(named);
    if (strcmp(how, "private") == 0) shared->result = EBUSY;
    return 0;
}

int main(int count, char** values) {
    const char* how = count > 1 ? values[1] : "mutex";
    char name[64];
    snprintf(name, sizeof name, "/raddle-claims-%d", (int)getpid());
    named = sem_open(name, O_CREAT | O_EXCL, 0600, 0);
    sem_unlink(name);
    shared = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    pthread_mutexattr_t attributes;
    pthread_mutexattr_init(&attributes);
    pthread_mutexattr_setpshared(&attributes, PTHREAD_PROCESS_SHARED);
    pthread_mutex_init(&shared->mutex, &attributes);
    sem_init(&shared->semaphore, 1, 0);
    pthread_mutex_lock(&shared->mutex);
    const pid_t child = fork();
    if (child == 0) _exit(use_in_child(how));
    int status;
    waitpid(child, &status, 0);
    if (strcmp(how, "mutex") == 0) return pthread_mutex_unlock(&shared->mutex);
    if (strcmp(how, "sem") == 0) return sem_trywait(&shared->semaphore);
    return shared->result != EBUSY;
}
