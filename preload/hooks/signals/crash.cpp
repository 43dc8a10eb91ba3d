// The kernel's handler lets the thread go on in end_by_fault(), on another stack, so that nothing of its own stack is
// lost. There the thread announces its end like any other action. If that is impossible, because the shim itself was at
// work, the handler notes what is known and takes the default action.
#include "preload/hooks/signals/crash.h"

#include <signal.h>
#include <ucontext.h>

#include "preload/base/fixed_memory.h"
#include "preload/base/raw.h"
#include "preload/debug/stacks.h"
#include "preload/hooks/signals/cycle_counter.h"
#include "preload/hooks/signals/signals.h"
#include "preload/memory/memory.h"
#include "preload/restore/restore.h"
#include "preload/schedule/call_notes.h"
#include "preload/schedule/call_site.h"
#include "preload/schedule/callbacks.h"
#include "preload/schedule/canonical.h"
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

constexpr int watched[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGSYS, SIGABRT, SIGPIPE, SIGXFSZ};
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

channel::Crash describe(int signal, const siginfo_t& info, const greg_t* registers) {
    channel::Crash crash{};
    const Thread& thread = scheduler::current();
    crash.signal = static_cast<std::uint32_t>(signal);
    crash.code = static_cast<std::uint32_t>(info.si_code);
    crash.address = reinterpret_cast<std::uint64_t>(info.si_addr);
    crash.instruction = memory::original_of(static_cast<std::uint64_t>(registers[REG_RIP]));
    crash.thread = thread.id;
    crash.in_stack_guard = is_stack_overflow(signal, info, static_cast<std::uint64_t>(registers[REG_RSP])) ? 1 : 0;
    return crash;
}

// ---- the end of a thread by a signal from the kernel

// It lies where unwinders and gdb look for the context of a signal handler: they see the program's frames behind it.
struct Fault {
    ucontext_t context;
    channel::Crash crash;
};

// The thread's own code was running: the kernel raised the signal, or libc did.
bool may_announce(int signal, const siginfo_t& info) {
    const bool is_own = info.si_code > 0 || signal == SIGABRT || signal == SIGPIPE || signal == SIGXFSZ;
    const Thread& thread = scheduler::current();
    return is_own && recorded() && backend::is_current(thread.context) &&
           scheduler::machine().thread(thread.slot).life == Life::running;
}

[[noreturn]] void end_by_fault(const Fault* fault) {
    memory::end_probe();
    const greg_t* const registers = fault->context.uc_mcontext.gregs;
    Thread& me = scheduler::current();
    const auto signal = static_cast<int>(fault->crash.signal);
    me.stopped_at = static_cast<std::uint64_t>(registers[REG_RSP]);
    scheduler::record_held_locks();
    if (stacks::area != nullptr) stacks::take_from_fault(registers);
    Action action;
    action.operation = signal == SIGABRT ? Operation::fail : Operation::process_crash;
    if (signal == SIGABRT) {
        if (me.last_words == nullptr) me.last_words = "killed by SIGABRT";
    } else {
        me.crash = &fault->crash;
        action.set_signal(signal);
        action.site = canonical::site_of(reinterpret_cast<const void*>(fault->crash.instruction));
    }
    end_process(action, signal);
}

// When the handler returns, the thread continues in end_by_fault() with fresh registers.
void announce_later(int signal, const siginfo_t& info, ucontext_t& context) {
    constexpr std::size_t bytes = 1 << 16;
    constexpr greg_t cleared_flags = 0x40500;  // trap, direction, alignment check
    auto* const stack = static_cast<char*>(fixed_memory::grow(nullptr, 0, bytes));
    if (stack == nullptr) scheduler::end_with(channel::End::out_of_memory, "no memory is left for raddle's shim");
    greg_t* const registers = context.uc_mcontext.gregs;
    const std::uint64_t top = reinterpret_cast<std::uint64_t>(stack + bytes - sizeof(Fault)) & ~std::uint64_t{63};
    auto* const fault = reinterpret_cast<Fault*>(top);
    fault->crash = describe(signal, info, registers);
    fault->context = context;
    memory::show_program(fault->context.uc_mcontext.gregs);
    *reinterpret_cast<std::uint64_t*>(top - 8) = reinterpret_cast<std::uint64_t>(restorer);
    registers[REG_RDI] = static_cast<greg_t>(top);
    registers[REG_RSP] = static_cast<greg_t>(top - 8);
    registers[REG_RBP] = 0;
    registers[REG_RIP] = static_cast<greg_t>(reinterpret_cast<std::uint64_t>(end_by_fault));
    registers[REG_EFL] &= ~cleared_flags;
    if (context.uc_mcontext.fpregs == nullptr) return;
    context.uc_mcontext.fpregs->cwd = 0x37f;
    context.uc_mcontext.fpregs->swd = 0;
    context.uc_mcontext.fpregs->ftw = 0;
    context.uc_mcontext.fpregs->mxcsr = 0x1f80;
}

}  // namespace

void die_by(int signal) {
    const KernelAction none{};
    const std::uint64_t mask = signals::bit_of(signal);
    raw::call(SYS_rt_sigaction, signal, &none, nullptr, 8L);
    raw::call(SYS_rt_sigprocmask, SIG_UNBLOCK, &mask, nullptr, 8L);
    for (;;) raw::call(SYS_tgkill, raw::call(SYS_getpid), raw::call(SYS_gettid), signal);
}

void end_process(const Action& action, int signal) {
    scheduler::current().leaving = true;  // acts on no cancellation
    signals::mine().skips_checks = true;  // and takes no signal
    if (recorded()) act(action);
    if (restore::comes_back()) restore::leave(0);
    die_by(signal);
}

void end_by_own_signal(int signal) {
    Action action;
    action.site = canonical::site_of(call_site);
    channel::Crash crash{};
    crash.signal = static_cast<std::uint32_t>(signal);
    crash.thread = scheduler::current().id;
    if (signal == SIGABRT) {
        action.operation = Operation::fail;
        scheduler::current().last_words = "killed by SIGABRT";
    } else {
        action.operation = Operation::process_crash;
        action.set_signal(signal);
        scheduler::current().crash = &crash;
    }
    end_process(action, signal);
}

void on_crash(int signal, siginfo_t* info, void* context) {
    auto* registers = static_cast<ucontext_t*>(context)->uc_mcontext.gregs;
    auto instruction = static_cast<std::uint64_t>(registers[REG_RIP]);
    if (signal == SIGSEGV && info->si_code == SI_KERNEL && cycle_counter::perform(registers)) return;
    // Beside a debugger, which takes SIGTRAP for itself, the trap is an instruction that does not exist: it is not
    // passed.
    std::uint64_t behind_trap = signal == SIGILL && debugger::attended ? instruction + 1 : instruction;
    if ((signal == SIGTRAP || behind_trap != instruction) && memory::redirect(behind_trap)) {
        registers[REG_RIP] = static_cast<greg_t>(behind_trap);
        return;
    }
    if (memory::unwatched::any && (signal == SIGSEGV || signal == SIGTRAP)) {
        auto flags = static_cast<std::uint64_t>(registers[REG_EFL]);
        if (signal == SIGSEGV ? memory::unwatched::entered(instruction, flags)
                              : memory::unwatched::trapped(instruction, flags)) {
            registers[REG_RIP] = static_cast<greg_t>(instruction);
            registers[REG_EFL] = static_cast<greg_t>(flags);
            return;
        }
    }
    if (signal == SIGTRAP && memory::armed()) return signals::pass_to_program(signal, info, context);
    die(signal, info, context);
}

void die(int signal, siginfo_t* info, void* context) {
    auto& interrupted = *static_cast<ucontext_t*>(context);
    const greg_t* const registers = interrupted.uc_mcontext.gregs;
    if (may_announce(signal, *info)) return announce_later(signal, *info, interrupted);
    if (recorded()) {
        channel::Result& result = scheduler::shared()->result;
        result.crash = describe(signal, *info, registers);
        result.cut_after_end = 1;
        gregset_t shown;
        std::memcpy(shown, registers, sizeof shown);
        memory::show_program(shown);
        if (stacks::area != nullptr) stacks::take_crash(scheduler::current(), shown);
        scheduler::conclude(channel::End::crash);
        if (restore::comes_back()) restore::leave(0, static_cast<std::uint64_t>(registers[REG_RSP]));
    }
    const KernelAction none{};
    raw::call(SYS_rt_sigaction, signal, &none, nullptr, 8L);
    // A signal that was sent is sent again. A fault happens again by itself.
    if (info->si_code <= 0) raw::call(SYS_tgkill, raw::call(SYS_getpid), raw::call(SYS_gettid), signal);
}

bool is_watched(int signal) {
    for (const int one : watched)
        if (one == signal) return true;
    return false;
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
        if (before.handler == nullptr && signal == SIGSEGV && call_notes::wanted) cycle_counter::trap();
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
