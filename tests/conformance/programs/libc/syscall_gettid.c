/* conformance: gettid, getpid, syscall */
#include "check.h"
#include <sys/syscall.h>

static pid_t main_pid;

static void *body(void *p)
{
    *(pid_t *)p = gettid();
    CHECK_EQ(syscall(SYS_gettid), gettid());
    CHECK_EQ(getpid(), main_pid);
    CHECK_EQ(syscall(SYS_getpid), main_pid);
    return p;
}

int main(void)
{
    pid_t a_tid, b_tid;
    main_pid = getpid();
    CHECK_EQ(gettid(), main_pid);
    pthread_t a = start(body, &a_tid), b = start(body, &b_tid);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    CHECK(a_tid > 0 && a_tid != main_pid);
    CHECK(b_tid > 0 && b_tid != main_pid);
    CHECK_EQ(syscall(SYS_gettid), main_pid);
    return ok();
}
