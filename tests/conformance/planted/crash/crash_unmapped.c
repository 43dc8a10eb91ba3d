/* planted: crash: main unmaps memory that the worker may still be using */
#include "check.h"
#include <sys/mman.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static volatile char *page;

static void *user(void *p)
{
    pthread_mutex_lock(&m);
    page[0]++;
    pthread_mutex_unlock(&m);
    return p;
}

int main(void)
{
    page = (char *)mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    CHECK(page != MAP_FAILED);
    pthread_t t = start(user, NULL);
    pthread_mutex_lock(&m);
    munmap((void *)page, 4096);
    pthread_mutex_unlock(&m);
    join(t);
    return ok();
}
