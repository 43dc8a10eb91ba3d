// The call by which the scheduler keeps a checkpoint (restore/checkpoints.h). It leaves no trace on the stack of the
// running thread: later frames could show the words, and an execution that keeps no checkpoint there would differ.
#pragma once

#include <cstdint>

namespace raddle::restore {

// What a function has to find again when it goes on, and where.
struct SavedRegisters {
    void *rsp, *rbp, *rbx, *r12, *r13, *r14, *r15, *rip;
    std::uint32_t mxcsr;
    std::uint16_t x87_control;
};

struct CheckpointCall {
    SavedRegisters* saved;
    void* stack;
    void (*make)();  // keeps the checkpoint, and goes on by raddle_go_on()
};
extern CheckpointCall checkpoint_call;  // restorable_child.cpp

// Comes back at once, and again in each execution that begins here.
__attribute__((always_inline)) inline void pass_checkpoint() {
    __asm__ volatile(
        "movq %%rsp, (%%rdi)\n\tmovq %%rbp, 8(%%rdi)\n\tmovq %%rbx, 16(%%rdi)\n\tmovq %%r12, 24(%%rdi)\n\t"
        "movq %%r13, 32(%%rdi)\n\tmovq %%r14, 40(%%rdi)\n\tmovq %%r15, 48(%%rdi)\n\tleaq 1f(%%rip), %%rax\n\t"
        "movq %%rax, 56(%%rdi)\n\tstmxcsr 64(%%rdi)\n\tfnstcw 68(%%rdi)\n\t"
        "movq %%rsi, %%rsp\n\tcall *%%rdx\n\tud2\n1:"
        :
        : "D"(checkpoint_call.saved), "S"(checkpoint_call.stack), "d"(checkpoint_call.make)
        : "memory", "cc", "rax", "rcx", "r8", "r9", "r10", "r11", "xmm0", "xmm1", "xmm2", "xmm3", "xmm4", "xmm5",
          "xmm6", "xmm7", "xmm8", "xmm9", "xmm10", "xmm11", "xmm12", "xmm13", "xmm14", "xmm15");
}

}  // namespace raddle::restore
