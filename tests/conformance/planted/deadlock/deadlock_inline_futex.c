/* planted: deadlock: a wake between the test and the wait is lost: the futex waits on another word than the tested one */
#include "check.h"
#include <linux/futex.h>
#include <sys/syscall.h>

static int word, here;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void futex(int *at, int operation, int value)
{
    long result;
    register long r10 __asm__("r10") = 0;
    __asm__ volatile("syscall" : "=a"(result) : "a"(SYS_futex), "D"(at), "S"(operation), "d"(value), "r"(r10) : "rcx", "r11", "memory");
}

static void *waiter(void *p)
{
    pthread_mutex_lock(&mutex);
    int wait = word == 0;
    pthread_mutex_unlock(&mutex);
    if (wait)
        futex(&here, FUTEX_WAIT_PRIVATE, 0);
    return p;
}

int main(void)
{
    pthread_t t = start(waiter, NULL);
    pthread_mutex_lock(&mutex);
    word = 1;
    pthread_mutex_unlock(&mutex);
    futex(&here, FUTEX_WAKE_PRIVATE, 1);
    join(t);
    return ok();
}
