// The code to which the checks in copies lead (copies/function_copies.h). It saves the general registers and the flags
// and asks the filter. If the filter cannot settle the access, it saves the low halves of the vector registers, too,
// which the shim uses. The others are kept only if other code runs before this thread goes on
// (schedule/live_registers.h).
//
// Stack at the entry: [return address in the copy][site][128 bytes of red zone]. All of it is popped at the end.
#include <cpuid.h>

#include "preload/memory/patcher.h"
#include "preload/schedule/live_registers.h"

extern "C" {
std::uint64_t raddle_memory_state_bytes = 1024;
void raddle_memory_entry();
}

__asm__(R"(
    .pushsection .text
    .hidden raddle_memory_entry
    .globl raddle_memory_entry
    .type raddle_memory_entry, @function
raddle_memory_entry:
    pushfq
    pushq %r15
    pushq %r14
    pushq %r13
    pushq %r12
    pushq %r11
    pushq %r10
    pushq %r9
    pushq %r8
    pushq %rdi
    pushq %rsi
    pushq %rbp
    pushq %rsp
    pushq %rbx
    pushq %rdx
    pushq %rcx
    pushq %rax
    cld
    movq %rsp, %rdi
    movq %rsp, %rbx
    andq $-16, %rsp
    call raddle_memory_filter
    testl %eax, %eax
    jz 1f
    subq $272, %rsp
    movaps %xmm0, 0(%rsp)
    movaps %xmm1, 16(%rsp)
    movaps %xmm2, 32(%rsp)
    movaps %xmm3, 48(%rsp)
    movaps %xmm4, 64(%rsp)
    movaps %xmm5, 80(%rsp)
    movaps %xmm6, 96(%rsp)
    movaps %xmm7, 112(%rsp)
    movaps %xmm8, 128(%rsp)
    movaps %xmm9, 144(%rsp)
    movaps %xmm10, 160(%rsp)
    movaps %xmm11, 176(%rsp)
    movaps %xmm12, 192(%rsp)
    movaps %xmm13, 208(%rsp)
    movaps %xmm14, 224(%rsp)
    movaps %xmm15, 240(%rsp)
    movq $0, 256(%rsp)
    leaq 256(%rsp), %rax
    movq %rax, raddle_live_registers(%rip)
    movq %rbx, %rdi
    movq %rsp, %rsi
    movq %rsp, %r12
    call raddle_memory_access
    movq $0, raddle_live_registers(%rip)
    movq 256(%r12), %rdi
    testq %rdi, %rdi
    jz 2f
    movq $0, 256(%r12)
    call raddle_load_registers
2:
    movaps 0(%r12), %xmm0
    movaps 16(%r12), %xmm1
    movaps 32(%r12), %xmm2
    movaps 48(%r12), %xmm3
    movaps 64(%r12), %xmm4
    movaps 80(%r12), %xmm5
    movaps 96(%r12), %xmm6
    movaps 112(%r12), %xmm7
    movaps 128(%r12), %xmm8
    movaps 144(%r12), %xmm9
    movaps 160(%r12), %xmm10
    movaps 176(%r12), %xmm11
    movaps 192(%r12), %xmm12
    movaps 208(%r12), %xmm13
    movaps 224(%r12), %xmm14
    movaps 240(%r12), %xmm15
1:  movq %rbx, %rsp
    popq %rax
    popq %rcx
    popq %rdx
    popq %rbx
    leaq 8(%rsp), %rsp
    popq %rbp
    popq %rsi
    popq %rdi
    popq %r8
    popq %r9
    popq %r10
    popq %r11
    popq %r12
    popq %r13
    popq %r14
    popq %r15
    popfq
    ret $136
    .size raddle_memory_entry, .-raddle_memory_entry
    .hidden raddle_memory_entry_end
    .globl raddle_memory_entry_end
raddle_memory_entry_end:
    .popsection
)");

namespace raddle::memory {

bool prepare_entry() {
    unsigned a, b, c, d;
    constexpr unsigned xsave_in_use = 1u << 27;
    if (__get_cpuid(1, &a, &b, &c, &d) == 0 || (c & xsave_in_use) == 0) return false;
    if (__get_cpuid_count(0xd, 0, &a, &b, &c, &d) == 0) return false;
    constexpr unsigned up_to_avx512 = 2816;
    raddle_memory_state_bytes = b < up_to_avx512 ? b : up_to_avx512;
    return true;
}

}  // namespace raddle::memory
