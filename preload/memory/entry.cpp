// The code to which the checks in copies lead (copies/function_copies.h). It saves the general registers and the flags
// and asks the filter. If the filter cannot settle the access, it saves the vector and x87 registers, too, because
// other threads may run before this one goes on.
//
// Stack at the entry: [return address in the copy][site][128 bytes of red zone]. All of it is popped at the end.
#include <cpuid.h>

#include "preload/memory/patcher.h"

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
    subq raddle_memory_state_bytes(%rip), %rsp
    andq $-64, %rsp
    xorl %eax, %eax
    movq %rax, 512(%rsp)
    movq %rax, 520(%rsp)
    movq %rax, 528(%rsp)
    movq %rax, 536(%rsp)
    movq %rax, 544(%rsp)
    movq %rax, 552(%rsp)
    movq %rax, 560(%rsp)
    movq %rax, 568(%rsp)
    movl $0xe7, %eax
    xorl %edx, %edx
    xsave64 (%rsp)
    movq %rbx, %rdi
    movq %rsp, %rsi
    movq %rsp, %r12
    call raddle_memory_access
    movl $0xe7, %eax
    xorl %edx, %edx
    xrstor64 (%r12)
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
