/* conformance: exit of main */
#include "check.h"

/* Free Pascal programs end by a jump to the return address of main, from any depth, without restoring the stack pointer
   and registers: libc only uses the status. This program does the same in assembly. */
static void *nothing(void *p) { return p; }

static int status_of_all(void)
{
    join(start(nothing, NULL));
    return ok();
}

static void *back;

__attribute__((noreturn, noinline)) static void halt(int status)
{
    __asm__ volatile("xorl %%ebp, %%ebp\n\txorl %%ebx, %%ebx\n\txorl %%r12d, %%r12d\n\tandq $-16, %%rsp\n\tpushq %1\n\tret"
                     : : "a"(status), "r"(back) : "memory");
    __builtin_unreachable();
}

__attribute__((noinline)) static void deeper(int depth)
{
    volatile char room[64] = {(char)depth};
    if (depth > 0)
        deeper(depth - 1);
    else
        halt(status_of_all());
    room[0] = 1;
}

int main(void)
{
    back = __builtin_return_address(0);
    deeper(5);
}
