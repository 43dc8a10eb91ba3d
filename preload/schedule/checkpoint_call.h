// The call by which the scheduler keeps a checkpoint (restore/checkpoints.h). It leaves no trace on the stack of the
// running thread, nor in registers: later frames could show them, and an execution that keeps no checkpoint there would
// differ.
#pragma once

#include <cstddef>
#include <cstdint>

namespace raddle::restore {

// Everything that a function has to find again when it goes on, and where. The vector registers may hold words of the
// program, such as the text that a search of libc compared last; the entry of an access writes all of them to the
// stack.
struct SavedRegisters {
    void *rsp, *rbp, *rbx, *r12, *r13, *r14, *r15, *rip;
    alignas(64) unsigned char extended[2816];  // x87, vector and mask registers, as xsave writes them
};
static_assert(offsetof(SavedRegisters, rip) == 56 && offsetof(SavedRegisters, extended) == 64);

struct CheckpointCall {
    SavedRegisters* saved;
    void* stack;
    void (*make)();  // keeps the checkpoint, and goes on by raddle_go_on()
};
extern CheckpointCall checkpoint_call;  // restorable_child.cpp

// Comes back at once, and again in each execution that begins here. Only where the processor has xsave.
__attribute__((always_inline)) inline void pass_checkpoint() {
    SavedRegisters* saved = checkpoint_call.saved;
    void* stack = checkpoint_call.stack;
    void (*make)() = checkpoint_call.make;
    __asm__ volatile(
        "movq %%rsp, (%%rdi)\n\tmovq %%rbp, 8(%%rdi)\n\tmovq %%rbx, 16(%%rdi)\n\tmovq %%r12, 24(%%rdi)\n\t"
        "movq %%r13, 32(%%rdi)\n\tmovq %%r14, 40(%%rdi)\n\tmovq %%r15, 48(%%rdi)\n\tleaq 1f(%%rip), %%rax\n\t"
        "movq %%rax, 56(%%rdi)\n\tmovl $0xe7, %%eax\n\txorl %%edx, %%edx\n\txsave64 64(%%rdi)\n\t"
        "movq %%rsi, %%rsp\n\tcall *%%rcx\n\tud2\n1:"
        : "+D"(saved), "+S"(stack), "+c"(make)
        :
        : "memory", "cc", "rax", "rdx", "r8", "r9", "r10", "r11", "xmm0", "xmm1", "xmm2", "xmm3", "xmm4", "xmm5",
          "xmm6", "xmm7", "xmm8", "xmm9", "xmm10", "xmm11", "xmm12", "xmm13", "xmm14", "xmm15");
}

}  // namespace raddle::restore
