// The handler runs on a stack of its own, in a process that is about to die or to be put back to its start. It accesses
// the channel and nothing else.
#include "preload/hooks/signals/crash.h"

#include <signal.h>
#include <ucontext.h>

#include "preload/base/raw.h"
#include "preload/debug/stacks.h"
#include "preload/hooks/signals/signals.h"
#include "preload/memory/memory.h"
#include "preload/restore/restore.h"
#include "preload/schedule/scheduler.h"

// The code to which handlers return. Unwinders recognise exactly these bytes, and gdb this name.
__asm__(R"(
    .pushsection .text
    .local __restore_rt
    .type __restore_rt, @function
__restore_rt:
    movq $15, %rax
    syscall
    .size __restore_rt, .-__restore_rt
    .popsection
)");
extern "C" void __restore_rt();

namespace raddle::crash {

namespace {

constexpr int watched[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGSYS};
constexpr std::size_t stack_bytes = 65536;

struct KernelAction {
    void (*handler)(int, siginfo_t*, void*);
    unsigned long flags;
    void (*restorer)();
    std::uint64_t mask;
};

// The address is just below the stack in use, or as far below it as a large frame reaches.
bool is_stack_overflow(int signal, const siginfo_t& info, std::uint64_t stack_pointer) {
    if (signal != SIGSEGV || info.si_code <= 0) return false;
    const auto address = reinterpret_cast<std::uint64_t>(info.si_addr);
    const Thread& thread = scheduler::current();
    if (thread.context.stack != nullptr) {
        const auto bottom = reinterpret_cast<std::uint64_t>(thread.context.stack);
        return address < bottom && bottom - address < (std::uint64_t{1} << 24);
    }
    constexpr std::uint64_t near = 1 << 16;
    return address < stack_pointer + near && stack_pointer < address + near;
}

void (*restorer)() = __restore_rt;

}  // namespace

void on_crash(int signal, siginfo_t* info, void* context) {
    auto* registers = static_cast<ucontext_t*>(context)->uc_mcontext.gregs;
    auto instruction = static_cast<std::uint64_t>(registers[REG_RIP]);
    if (signal == SIGTRAP && memory::redirect(instruction)) {
        registers[REG_RIP] = static_cast<greg_t>(instruction);
        return;
    }
    if (signal == SIGSEGV && memory::unwatched::any && memory::unwatched::entered(instruction)) return;
    if (signal == SIGTRAP && memory::armed()) return signals::pass_to_program(signal, info, context);
    die(signal, info, context);
}

void die(int signal, siginfo_t* info, void* context) {
    auto* registers = static_cast<ucontext_t*>(context)->uc_mcontext.gregs;
    const auto instruction = static_cast<std::uint64_t>(registers[REG_RIP]);
    if (phase == Phase::alone || phase == Phase::scheduled) {
        channel::Crash& crash = scheduler::shared()->result.crash;
        const Thread& thread = scheduler::current();
        crash.signal = static_cast<std::uint32_t>(signal);
        crash.code = static_cast<std::uint32_t>(info->si_code);
        crash.address = reinterpret_cast<std::uint64_t>(info->si_addr);
        crash.instruction = memory::original_of(instruction);
        crash.thread = thread.id;
        crash.in_stack_guard = is_stack_overflow(signal, *info, static_cast<std::uint64_t>(registers[REG_RSP])) ? 1 : 0;
        if (stacks::area != nullptr) stacks::take_crash(thread, registers, crash.instruction);
        scheduler::conclude(channel::End::crash);
        if (restore::comes_back()) restore::leave(0, static_cast<std::uint64_t>(registers[REG_RSP]));
    }
    const KernelAction none{};
    raw::call(SYS_rt_sigaction, signal, &none, nullptr, 8L);
    // A signal that was sent is sent again. A fault happens again by itself.
    if (info->si_code <= 0) raw::call(SYS_tgkill, raw::call(SYS_getpid), raw::call(SYS_gettid), signal);
}

void take_stack() {
    static unsigned char memory[stack_bytes] __attribute__((aligned(4096)));
    const stack_t stack = {memory, 0, stack_bytes};
    raw::call(SYS_sigaltstack, &stack, nullptr);
}

void install() {
    take_stack();
    for (const int signal : watched) {
        KernelAction before{};
        raw::call(SYS_rt_sigaction, signal, nullptr, &before, 8L);
        if (before.handler == nullptr) watch(signal);
    }
}

void return_through_libc() {
    KernelAction libcs{};
    raw::call(SYS_rt_sigaction, SIGSYS, nullptr, &libcs, 8L);
    restorer = libcs.restorer;
    for (const int signal : watched) {
        KernelAction before{};
        raw::call(SYS_rt_sigaction, signal, nullptr, &before, 8L);
        if (before.handler == on_crash) watch(signal);
    }
}

void watch(int signal) {
    constexpr unsigned long restorer_given = 0x04000000;
    const KernelAction action = {on_crash, SA_SIGINFO | SA_ONSTACK | restorer_given, restorer, 0};
    raw::call(SYS_rt_sigaction, signal, &action, nullptr, 8L);
}

}  // namespace raddle::crash
