// The end of the process. Exit handlers run as code of the program while other threads live. Then the end is
// announced, other threads go on until none can, and the process exits. The C library flushes stdio.
#include "preload/hooks/processes/exit.h"

#include <sys/mman.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "preload/base/raw.h"
#include "preload/hooks/files/output.h"
#include "preload/hooks/threads/thread.h"
#include "preload/intercept/describe.h"
#include "preload/intercept/real.h"
#include "preload/restore/restore.h"

// raddle_call_main(count, values, environment, main): calls main(), and tolerates a return with another stack pointer
// and changed callee-saved registers. Programs of Free Pascal return like this, and libc does not mind either.
__asm__(R"(
    .pushsection .text
    .local raddle_call_main
    .type raddle_call_main, @function
raddle_call_main:
    .cfi_startproc
    pushq %rbp
    .cfi_def_cfa_offset 16
    .cfi_offset %rbp, -16
    pushq %rbx
    .cfi_def_cfa_offset 24
    .cfi_offset %rbx, -24
    pushq %r12
    .cfi_def_cfa_offset 32
    .cfi_offset %r12, -32
    pushq %r13
    .cfi_def_cfa_offset 40
    .cfi_offset %r13, -40
    pushq %r14
    .cfi_def_cfa_offset 48
    .cfi_offset %r14, -48
    pushq %r15
    .cfi_def_cfa_offset 56
    .cfi_offset %r15, -56
    subq $8, %rsp
    .cfi_def_cfa_offset 64
    movq %rsp, raddle_stack_of_main(%rip)
    call *%rcx
    movq raddle_stack_of_main(%rip), %rsp
    addq $8, %rsp
    .cfi_def_cfa_offset 56
    popq %r15
    .cfi_def_cfa_offset 48
    popq %r14
    .cfi_def_cfa_offset 40
    popq %r13
    .cfi_def_cfa_offset 32
    popq %r12
    .cfi_def_cfa_offset 24
    popq %rbx
    .cfi_def_cfa_offset 16
    popq %rbp
    .cfi_def_cfa_offset 8
    ret
    .cfi_endproc
    .size raddle_call_main, .-raddle_call_main
    .local raddle_stack_of_main
    .comm raddle_stack_of_main, 8, 8
    .popsection
)");
extern "C" int __cxa_at_quick_exit(void (*function)(void*), void* library);
extern "C" int raddle_call_main(int count, char** values, char** environment, MainFunction main);

namespace raddle {

namespace {

MainFunction program_main = nullptr;
bool exit_began = false;
bool quick_exit_began = false;
int quick_status = 0;

struct MainCall {
    int count;
    char** values;
    char** environment;
    bool returned;
    int status;
};

void call_main(void* argument) {
    MainCall& call = *static_cast<MainCall*>(argument);
    call.status = raddle_call_main(call.count, call.values, call.environment, program_main);
    call.returned = true;
}

// Clears the stack below main(). The loader left clock values and addresses there. A program that reads an
// uninitialised variable would otherwise behave differently in every process.
constexpr std::size_t page = 4096;
constexpr std::size_t shallow = 4 * page;

__attribute__((noinline)) void give_back_deep_stack() {
    constexpr std::size_t deep = 1 << 20;
    const auto here = reinterpret_cast<std::uint64_t>(__builtin_frame_address(0)) & ~(page - 1);
    raw::call(SYS_madvise, here - deep, deep - shallow, MADV_DONTNEED);
}

__attribute__((noinline)) void clear_shallow_stack() {
    unsigned char room[shallow + page];
    std::memset(room, 0, sizeof room);
    __asm__ volatile("" : : "r"(room) : "memory");
}

int run_main(int count, char** values, char** environment) {
    give_back_deep_stack();
    clear_shallow_stack();
    MainCall call{count, values, environment, false, 0};
    run_until_left(call_main, &call);
    if (call.returned) hooks::exit(call.status);
    end_thread();
}

void announce_end(int status) {
    if (!recorded()) return;
    Action action = of(Operation::process_exit);
    action.object = process_object();
    action.set_exit_status(status & 0xff);
    act(action);
}

void flush_and_end(int status) {
    const bool is_flushed = output::flush_before_end();
    announce_end(status);
    if (is_flushed) restore::leave(status & 0xff);
}

void last_exit_handler(int status, void*) {
    call_site = nullptr;
    flush_and_end(status);
    if (!restore::comes_back()) return;
    fflush(nullptr);  // the only effect that exit() would still have
    restore::leave(status);
}

void last_quick_exit_handler(void*) {
    call_site = nullptr;
    announce_end(quick_status);
    restore::leave(quick_status & 0xff);
}

}  // namespace

void register_exit_handlers() {
    on_exit(last_exit_handler, nullptr);
    // Without a library to belong to: exit() in another thread, which finalises libraries, must not remove it.
    __cxa_at_quick_exit(last_quick_exit_handler, nullptr);
}

namespace hooks {

int __libc_start_main(MainFunction main, int count, char** values, VoidFunction init, VoidFunction fini,
                      VoidFunction loader_fini, void* stack_end) {
    program_main = main;
    scheduler::current().routine = reinterpret_cast<void* (*)(void*)>(reinterpret_cast<void*>(main));
    return real::__libc_start_main(run_main, count, values, init, fini, loader_fini, stack_end);
}

void exit(int status) {
    scheduler::current().leaving = true;  // cancellation has no effect from here on
    if (recorded() && exit_began) {
        call_site = nullptr;  // as in last_exit_handler(): which thread came first is no part of a thread's past
        flush_and_end(status);
    }
    exit_began = true;
    real::exit(status);
}

void _exit(int status) {
    scheduler::current().leaving = true;
    announce_end(status);
    restore::leave(status & 0xff);
}

void _Exit(int status) { _exit(status); }

void quick_exit(int status) {
    scheduler::current().leaving = true;
    // libc's list of handlers no longer has the last one.
    if (recorded() && quick_exit_began) {
        call_site = nullptr;
        announce_end(status);
    }
    quick_exit_began = true;
    quick_status = status;
    real::quick_exit(status);
}

}  // namespace hooks

}  // namespace raddle
