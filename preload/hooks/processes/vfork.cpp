// vfork. The child runs in this process's memory and on this thread's stack, until it calls exec or exits. The shim
// must not learn of its actions: a descriptor that the child closes stays open here.
#include <cerrno>
#include <new>

#include "preload/base/raw.h"
#include "preload/hooks/processes/children.h"
#include "preload/hooks/processes/fork.h"
#include "preload/schedule/scheduler.h"

namespace raddle {

namespace {

int depth = 0;  // the child may call vfork again
Phase phase_before = Phase::unknown;
alignas(children::ChildStart) unsigned char child_start_memory[sizeof(children::ChildStart)];
children::ChildStart& start() { return *reinterpret_cast<children::ChildStart*>(child_start_memory); }

}  // namespace

// True if fork has to be called instead.
extern "C" __attribute__((used)) bool raddle_vfork_begins() {
    if (depth == 0 && controlled() && follows_forks()) return true;
    const bool is_ours = depth == 0 && controlled();
    if (is_ours) new (child_start_memory) children::ChildStart("vfork");  // other threads may run meanwhile
    if (++depth > 1) return false;
    phase_before = phase;
    if (is_ours) phase = Phase::off;
    return false;
}

// Runs in the parent, after the child called exec or exited, or if the call failed.
extern "C" __attribute__((used)) int raddle_vfork_ends(long result) {
    if (--depth == 0) {
        phase = phase_before;
        if (controlled()) start().~ChildStart();
    }
    if (!raw::failed(result)) return static_cast<int>(result);
    errno = static_cast<int>(-result);
    return -1;
}

extern "C" __attribute__((used)) int raddle_vfork_as_fork() { return fork_followed(); }

// The child may overwrite the stack. The return address of the call, and the words that the return from the system
// call needs, therefore lie elsewhere.
alignas(16) unsigned char vfork_stack[16384] __asm__("raddle_vfork_stack");

}  // namespace raddle

__asm__(R"(
    .pushsection .text
    .globl vfork
    .type vfork, @function
vfork:
    subq $8, %rsp
    call raddle_vfork_begins
    addq $8, %rsp
    testb %al, %al
    jne raddle_vfork_as_fork
    popq %rdx
    movq %rsp, %rsi
    leaq 16384+raddle_vfork_stack(%rip), %rsp
    movl $58, %eax
    call *_ZN6raddle3raw4gateE(%rip)
    movq %rsi, %rsp
    pushq %rdx
    testq %rax, %rax
    je 1f
    movq %rax, %rdi
    subq $8, %rsp
    call raddle_vfork_ends
    addq $8, %rsp
1:  ret
    .size vfork, .-vfork
    .popsection
)");
