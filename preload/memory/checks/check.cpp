// Flags are kept in ax, by lahf and seto: pushing and popping them costs as much as everything else here.
#include "preload/memory/checks/check.h"

#include "preload/base/fixed_memory.h"
#include "preload/memory/checks/filter.h"

namespace raddle::memory {

// The numbers in the text below.
static_assert(fixed_memory::filter_cache == 0x511000000000 && cache_entries == 4096 && sizeof(CacheEntry) == 16);
static_assert(check::restore_bytes == 10 && noted_as_written == 1u << 30 && most_idle_reads == 40000);
static_assert(thread_arena::base == std::uint64_t{1} << 45 &&
              thread_arena::count * thread_arena::bytes == std::uint64_t{1} << 45);
static_assert(thread_arena::stack_bytes == std::uint64_t{1} << 31 && thread_arena::bytes == std::uint64_t{1} << 33);

}  // namespace raddle::memory

__asm__(R"(
    .pushsection .text
    .macro raddle_check name, bytes, writes
    .hidden raddle_memory_check_\name
    .globl raddle_memory_check_\name
    .type raddle_memory_check_\name, @function
raddle_memory_check_\name:
    pushq %rax
    pushq %rsi
    lahf
    seto %al
    leaq 40(%rsp), %rsi
    cmpq %rsi, %rcx
    jae 5f
1:
    .if \bytes > 1
    movl %ecx, %esi
    andl $7, %esi
    cmpl $(8 - \bytes), %esi
    ja 3f
    .endif
    movq %rcx, %rsi
    shrq $3, %rsi
    movq %rsi, %rcx
    shlq $20, %rcx
    orq %rdx, %rcx
    imull $0x9b1, %edx, %edx
    addl %edx, %esi
    andl $4095, %esi
    shlq $4, %rsi
    movabsq $0x511000000000, %rdx
    addq %rdx, %rsi
    cmpq %rcx, (%rsi)
    jne 2f
    movq 8(%rsi), %rdx
    .if \writes == 0
    andq $~0x40000000, %rdx
    .endif
    movl _ZN6raddle6memory13current_arenaE(%rip), %esi
    addq _ZN6raddle6memory14execution_markE(%rip), %rsi
    addq $(1 + \writes * 0x40000000), %rsi
    cmpq %rsi, %rdx
    je 4f
    movq _ZN6raddle6memory11action_markE(%rip), %rsi
    .if \writes
    orq $0x40000000, %rsi
    .endif
    cmpq %rsi, %rdx
    jne 2f
4:  movq _ZN6raddle6memory8accessesE(%rip), %rsi
    cmpq _ZN6raddle6memory13most_accessesE(%rip), %rsi
    jae 2f
    .if \writes
    movl $0, _ZN6raddle6memory10idle_readsE(%rip)
    incq _ZN6raddle6memory13unseen_writesE(%rip)
    .else
    movl _ZN6raddle6memory10idle_readsE(%rip), %edx
    incl %edx
    cmpl $40000, %edx
    jae 2f
    movl %edx, _ZN6raddle6memory10idle_readsE(%rip)
    .endif
    incq _ZN6raddle6memory8accessesE(%rip)
6:  addb $0x7f, %al
    sahf
    popq %rsi
    popq %rax
    ret
2:  movl %ecx, %edx
    andl $0xfffff, %edx
3:  addb $0x7f, %al
    sahf
    movq %rdx, %rsi
    movq 32(%rsp), %rcx
    movq 24(%rsp), %rdx
    movq %rsi, 32(%rsp)
    movq 16(%rsp), %rsi
    leaq 10(%rsi), %rsi
    movq %rsi, 24(%rsp)
    popq %rsi
    popq %rax
    leaq 8(%rsp), %rsp
    jmp raddle_memory_entry
5:  movq %rsp, %rsi
    shrq $45, %rsi
    cmpl $1, %esi
    jne 8f
    movq %rcx, %rsi
    xorq %rsp, %rsi
    shrq $31, %rsi
    jnz 1b
    movq %rsp, %rsi
    shrq $31, %rsi
    andl $3, %esi
    cmpl $3, %esi
    jne 1b
    jmp 7f
8:  cmpl $0, _ZN6raddle6memory13current_arenaE(%rip)
    jne 1b
    cmpq _ZN6raddle6memory14main_stack_topE(%rip), %rcx
    jae 1b
7:  movq _ZN6raddle6memory8accessesE(%rip), %rsi
    cmpq _ZN6raddle6memory13most_accessesE(%rip), %rsi
    jae 3b
    incq _ZN6raddle6memory8accessesE(%rip)
    jmp 6b
    .size raddle_memory_check_\name, .-raddle_memory_check_\name
    .endm
    raddle_check r1, 1, 0
    raddle_check r2, 2, 0
    raddle_check r4, 4, 0
    raddle_check r8, 8, 0
    raddle_check w1, 1, 1
    raddle_check w2, 2, 1
    raddle_check w4, 4, 1
    raddle_check w8, 8, 1
    .popsection
)");

extern "C" {
void raddle_memory_check_r1();
void raddle_memory_check_r2();
void raddle_memory_check_r4();
void raddle_memory_check_r8();
void raddle_memory_check_w1();
void raddle_memory_check_w2();
void raddle_memory_check_w4();
void raddle_memory_check_w8();
}

namespace raddle::memory::check {

Function function_of(std::uint32_t kind) {
    switch (kind) {
        case 0: return raddle_memory_check_r1;
        case 1: return raddle_memory_check_r2;
        case 2: return raddle_memory_check_r4;
        case 3: return raddle_memory_check_r8;
        case 4: return raddle_memory_check_w1;
        case 5: return raddle_memory_check_w2;
        case 6: return raddle_memory_check_w4;
        default: return raddle_memory_check_w8;
    }
}

}  // namespace raddle::memory::check
