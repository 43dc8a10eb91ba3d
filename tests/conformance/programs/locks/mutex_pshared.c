/* conformance: pthread_mutexattr_setpshared, pthread_condattr_setpshared, mmap */
#include "check.h"
#include <sys/mman.h>

/* Process-shared objects in shared memory, used here by the threads of one process. */
struct shared {
    pthread_mutex_t m;
    pthread_cond_t c;
    int set;
};

static void *setter(void *p)
{
    struct shared *s = (struct shared *)p;
    pthread_mutex_lock(&s->m);
    s->set = 1;
    pthread_cond_signal(&s->c);
    pthread_mutex_unlock(&s->m);
    return p;
}

int main(void)
{
    void *memory = mmap(NULL, sizeof(struct shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    CHECK(memory != MAP_FAILED);
    struct shared *s = (struct shared *)memory;
    pthread_mutexattr_t ma;
    pthread_condattr_t ca;
    pthread_mutexattr_init(&ma);
    CHECK_EQ(pthread_mutexattr_setpshared(&ma, PTHREAD_PROCESS_SHARED), 0);
    CHECK_EQ(pthread_mutex_init(&s->m, &ma), 0);
    pthread_condattr_init(&ca);
    CHECK_EQ(pthread_condattr_setpshared(&ca, PTHREAD_PROCESS_SHARED), 0);
    CHECK_EQ(pthread_cond_init(&s->c, &ca), 0);
    pthread_t t = start(setter, s);
    pthread_mutex_lock(&s->m);
    while (!s->set)
        CHECK_EQ(pthread_cond_wait(&s->c, &s->m), 0);
    pthread_mutex_unlock(&s->m);
    join(t);
    CHECK_EQ(pthread_cond_destroy(&s->c), 0);
    CHECK_EQ(pthread_mutex_destroy(&s->m), 0);
    CHECK_EQ(munmap(s, sizeof *s), 0);
    return ok();
}
