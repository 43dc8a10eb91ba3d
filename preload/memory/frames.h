// Frames that have ended while other threads may still use variables in them: those of main() once it returned, and
// the whole stack of a thread that ended. The end is like a write to each variable, as freeing is (freed.h). A later
// use is misuse.
//
// Frames also end when their function returns. Nothing intercepts that, so a thread looks at its stack pointer before
// each action: variables below it that other threads have used ended since the last action. They are alive again when
// the stack has grown over them. The values of such variables are not followed, because later frames overwrite them.
//
// The thread may go on to run code on the same stack: exit handlers, or destructors of thread-local variables. A word
// that it has written since the end is alive again.
#pragma once

#include "preload/memory/stack_ends.h"

namespace raddle::memory::frames {

// The running thread begins to run code of the program.
void begin();
// The frames of the running thread below `top` have ended. `code`: behind the beginning of the function that returned,
// or behind the call by which the thread left it. To be called by call_below_shared().
void end_below(std::uint64_t top, const void* code);
// The running thread ends: so do its thread-local variables.
void end_thread_locals(const void* code);

// The variable ends when a function returns: so the supervisor says. More: follow_stack() in
// preload/schedule/callbacks.h.
bool ends_by_return(std::uint64_t address);

// When it is the turn of an access: whether it uses a frame of another thread that has ended. Later executions then get
// to know the variable.
bool uses_dead(std::uint32_t arena, std::uint64_t address);

// Calls function(top), where `top` is the end of the caller's frame, with the stack pointer below everything that other
// threads have used there. Nothing above is written meanwhile.
inline __attribute__((always_inline)) void call_below_shared(void (*function)(void*)) {
    std::uint64_t top;
    __asm__("movq %%rsp, %0" : "=r"(top));
    const std::uint64_t shared = stack_ends::lowest_shared[current_arena];
    std::uint64_t stack = (shared - 256 < top ? shared - 256 : top) & ~std::uint64_t{63};
    auto* argument = reinterpret_cast<void*>(top);
    __asm__ volatile("movq %%rsp, %%rbx\n\tmovq %[stack], %%rsp\n\tcall *%[function]\n\tmovq %%rbx, %%rsp"
                     : "+D"(argument), [stack] "+r"(stack), [function] "+r"(function)
                     :
                     : "rbx", "rax", "rcx", "rdx", "rsi", "r8", "r9", "r10", "r11", "memory", "cc", "xmm0", "xmm1",
                       "xmm2", "xmm3", "xmm4", "xmm5", "xmm6", "xmm7", "xmm8", "xmm9", "xmm10", "xmm11", "xmm12",
                       "xmm13", "xmm14", "xmm15");
}

}  // namespace raddle::memory::frames
