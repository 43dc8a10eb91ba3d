/* conformance: sigaction of SIGSYS, raise, in a program with an inline system call instruction */
#include "check.h"
#include <signal.h>
#include <sys/syscall.h>

static int handled;

static void handler(int number)
{
    CHECK_EQ(number, SIGSYS);
    handled++;
}

static void *body(void *p)
{
    long result;
    __asm__ volatile("syscall" : "=a"(result) : "a"(SYS_getppid) : "rcx", "r11", "memory");
    CHECK_EQ(result, getppid());
    CHECK_EQ(raise(SIGSYS), 0);
    __asm__ volatile("syscall" : "=a"(result) : "a"(SYS_getppid) : "rcx", "r11", "memory");
    CHECK_EQ(result, getppid());
    return p;
}

int main(void)
{
    struct sigaction action = {.sa_handler = handler};
    CHECK_EQ(sigaction(SIGSYS, &action, NULL), 0);
    join(start(body, NULL));
    join(start(body, NULL));
    CHECK_EQ(handled, 2);
    return ok();
}
