#include "preload/threads/kernel_threads.h"

#include <sched.h>
#include <signal.h>

#include <cstring>

#include "preload/base/raw.h"
#include "preload/base/text.h"
#include "preload/threads/callbacks.h"

// raddle_clone(flags, stack, tid, tls, context): the system call clone. The new thread calls
// raddle_kernel_thread(context) without an outer frame. Returns the kernel's result.
__asm__(R"(
    .pushsection .text
    .local raddle_clone
    .type raddle_clone, @function
raddle_clone:
    .cfi_startproc
    movq %r8, %r9
    movq %rcx, %r8
    movq %rdx, %r10
    movl $56, %eax
    syscall
    testq %rax, %rax
    jnz 1f
    .cfi_undefined %rip
    xorl %ebp, %ebp
    movq %r9, %rdi
    andq $-16, %rsp
    call raddle_kernel_thread
    ud2
1:
    ret
    .cfi_endproc
    .size raddle_clone, .-raddle_clone
    .popsection
)");

extern "C" long raddle_clone(unsigned long flags, void* stack, std::uint32_t* tid, void* tls, void* context);

namespace raddle::backend::kernel_threads {

namespace {

constexpr std::uint64_t all_signals = ~std::uint64_t{0};
enum Turn : std::uint32_t { not_yet, now, never };

void set_blocked(const std::uint64_t& set, std::uint64_t* before) {
    raw::call(SYS_rt_sigprocmask, SIG_SETMASK, &set, before, 8L);
}

void set_turn(ThreadContext& context, Turn turn) {
    __atomic_store_n(&context.turn, turn, __ATOMIC_RELEASE);
    raw::futex_wake(&context.turn);
}

[[noreturn]] void end_own() {
    for (;;) raw::call(SYS_exit, 0);
}

// Always asks the kernel, even if the turn has come: a call leaves its return address below the stack, and a program
// that reads a local variable before it sets it must find the same bytes in every execution.
void wait_for_turn(ThreadContext& context) {
    std::uint32_t turn;
    do {
        raw::futex_wait(&context.turn, not_yet, 0);
    } while ((turn = __atomic_load_n(&context.turn, __ATOMIC_ACQUIRE)) == not_yet);
    if (turn == never) end_own();
    __atomic_store_n(&context.turn, not_yet, __ATOMIC_RELAXED);
}

}  // namespace

extern "C" __attribute__((used)) void raddle_kernel_thread(ThreadContext* context) {
    crash::take_stack();
    inline_calls::watch_here();
    wait_for_turn(*context);
    set_blocked(context->signals_blocked, nullptr);
    context->entry(context->argument);
    __builtin_trap();
}

bool start(ThreadContext& context, void* stack) {
    constexpr unsigned long shared = CLONE_VM | CLONE_FS | CLONE_FILES | CLONE_SIGHAND | CLONE_THREAD | CLONE_SYSVSEM;
    context.turn = not_yet;
    set_blocked(all_signals, &context.signals_blocked);
    inline_calls::pause_here();  // the clone is the shim's own, not the program's
    const long result = raddle_clone(shared | CLONE_SETTLS | CLONE_PARENT_SETTID | CLONE_CHILD_CLEARTID, stack,
                                     &context.kernel_id, context.self, &context);
    inline_calls::watch_here();
    set_blocked(context.signals_blocked, nullptr);
    return !raw::failed(result);
}

void hand_over(ThreadContext& from, ThreadContext& to) {
    set_blocked(all_signals, &from.signals_blocked);
    set_turn(to, now);
    wait_for_turn(from);
    set_blocked(from.signals_blocked, nullptr);
}

void end_after(ThreadContext& to) {
    set_blocked(all_signals, nullptr);
    set_turn(to, now);
    end_own();
}

void end(ThreadContext& waiting) { set_turn(waiting, never); }

void wait_for_end(const ThreadContext& context) {
    std::uint32_t still;
    do {
        still = __atomic_load_n(&context.kernel_id, __ATOMIC_ACQUIRE);
        raw::futex_wait(&context.kernel_id, still == 0 ? ~still : still, 0);  // asks the kernel as wait_for_turn does
    } while (still != 0);
}

void show_name(std::uint32_t tid, const char* name) {
    Text<64> path;
    path.add("/proc/self/task/").add(static_cast<unsigned long>(tid)).add("/comm");
    const long file = raw::call(SYS_open, path.bytes, O_WRONLY | O_CLOEXEC, 0L);
    if (raw::failed(file)) return;
    raw::call(SYS_write, file, name, std::strlen(name));
    raw::call(SYS_close, file);
}

}  // namespace raddle::backend::kernel_threads
