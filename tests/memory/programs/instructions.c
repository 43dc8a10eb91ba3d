// Executes instructions that touch memory, of every kind, on random operands, and prints what each leaves in registers,
// flags and memory. To be run natively and under raddle: the output has to be the same. Runs in a thread of its own, as
// nothing is announced before there is one.
// build: -no-pie -fno-pie

#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct state {
    uint64_t registers[16], flags;
    unsigned char vectors[16][16];
};
__attribute__((visibility("hidden"))) struct state before, after;
__attribute__((visibility("hidden"), aligned(64))) unsigned char buffer[512];
__attribute__((visibility("hidden"))) uint64_t slot;
__attribute__((visibility("hidden"))) void (*targets[4])(void);

struct instruction {
    void (*execute)(void);
    const char* text;
};
extern const struct instruction first_instruction[], last_instruction[];

// r15 points into the buffer, r14 is a small index; the others hold anything.
__asm__(R"(
    .macro each_register do
    \do %rax, 0
    \do %rcx, 1
    \do %rdx, 2
    \do %rbx, 3
    \do %rbp, 5
    \do %rsi, 6
    \do %rdi, 7
    \do %r8, 8
    \do %r9, 9
    \do %r10, 10
    \do %r11, 11
    \do %r12, 12
    \do %r13, 13
    \do %r14, 14
    \do %r15, 15
    .endm
    .macro take register, number
    movq before+8*\number(%rip), \register
    .endm
    .macro give register, number
    movq \register, after+8*\number(%rip)
    .endm
    .macro each_vector do
    .irp number, 0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15
    \do %xmm\number, \number
    .endr
    .endm
    .macro take_vector register, number
    movups before+136+16*\number(%rip), \register
    .endm
    .macro give_vector register, number
    movups \register, after+136+16*\number(%rip)
    .endm

    .section .data.rel.ro,"aw"
    .globl first_instruction
    .hidden first_instruction
first_instruction:
    .previous

    .macro try text
    .pushsection .text
    .p2align 4
771:
    .cfi_startproc
    pushq %rbx
    pushq %rbp
    pushq %r12
    pushq %r13
    pushq %r14
    pushq %r15
    each_vector take_vector
    pushq before+128(%rip)
    popfq
    each_register take
    \text
    each_register give
    pushfq
    popq after+128(%rip)
    cld
    each_vector give_vector
    popq %r15
    popq %r14
    popq %r13
    popq %r12
    popq %rbp
    popq %rbx
    ret
    .cfi_endproc
    .popsection
    .pushsection .rodata
772: .asciz "\text"
    .popsection
    .pushsection .data.rel.ro,"aw"
    .quad 771b
    .quad 772b
    .popsection
    .endm
)");

#define TRY(text) __asm__("try \"" text "\"");
// With each way to address: relative to the instruction, by a register, by base and index.
#define ON(left, right)                   \
    TRY(left "buffer+64(%rip)" right)     \
    TRY(left "(%r15)" right)              \
    TRY(left "16(%r15,%r14,8)" right)
#define WIDTHS(operation, right)                    \
    ON(operation "b %cl, ", right)                  \
    ON(operation "w %cx, ", right)                  \
    ON(operation "l %ecx, ", right)                 \
    ON(operation "q %rcx, ", right)
#define LOADS(operation)                            \
    ON(operation "b ", ", %cl")                     \
    ON(operation "w ", ", %cx")                     \
    ON(operation "l ", ", %ecx")                    \
    ON(operation "q ", ", %rcx")
#define IMMEDIATES(operation)                       \
    ON(operation "b $0x5a, ", "")                   \
    ON(operation "w $0x5aa5, ", "")                 \
    ON(operation "l $0x5aa5c3, ", "")               \
    ON(operation "q $-0x5aa5c3, ", "")
#define ONE(operation)                              \
    ON(operation "b ", "")                          \
    ON(operation "w ", "")                          \
    ON(operation "l ", "")                          \
    ON(operation "q ", "")
#include "instructions.def"
__asm__(R"(
    .section .data.rel.ro,"aw"
    .globl last_instruction
    .hidden last_instruction
last_instruction:
    .quad 0
    .previous
)");

static uint64_t random_state = 88172645463325252ULL;
static uint64_t draw(void) {
    random_state ^= random_state << 13;
    random_state ^= random_state >> 7;
    return random_state ^= random_state << 17;
}

// By way of the stack, so that little but the instructions themselves is seen.
static void fill(void* memory, size_t bytes) {
    uint64_t drawn[64];
    for (size_t i = 0; i < bytes / 8; ++i) drawn[i] = draw();
    memcpy(memory, drawn, bytes);
}

static uint64_t digest(uint64_t hash, const void* memory, size_t bytes) {
    uint64_t copy[64];
    memcpy(copy, memory, bytes);
    for (size_t i = 0; i < bytes / 8; ++i) hash = (hash ^ copy[i]) * 0x100000001b3ULL, hash ^= hash >> 29;
    return hash;
}

static void nothing(void) {}

static void prepare(unsigned round) {
    fill(&before, sizeof before);
    fill(buffer, sizeof buffer);
    fill(&after, sizeof after);
    // Numbers rather than any bits in x87 and vector operands: what signals is not compared.
    for (int i = 0; i < 32; ++i) {
        const double number = (double)(int)draw();
        memcpy(buffer + 256 + 8 * i, &number, sizeof number);
    }
    const uint64_t arithmetic_flags = 0x8d5, direction = 0x400;
    before.flags = 0x202 | (draw() & arithmetic_flags) | (round % 4 == 3 ? direction : 0);
    before.registers[1] = round % 2 == 0 ? draw() % 5 : before.registers[1];
    before.registers[15] = (uintptr_t)(buffer + 64);
    before.registers[14] = draw() % 4;
    // Strings lie far from the ends, whichever the direction.
    before.registers[6] = (uintptr_t)(buffer + 128);
    before.registers[7] = (uintptr_t)(buffer + 160);
    if (round % 2 == 0) memcpy(buffer + 96, buffer + 128, 64);
    if (round % 2 == 0) {  // so that comparing finds what it expects
        memcpy(&before.registers[0], buffer + 64, 8);
        memcpy(&before.registers[2], buffer + 72, 8);
    }
}

static unsigned rounds = 4;

static void* body(void* argument) {
    (void)argument;
    for (const struct instruction* it = first_instruction; it < last_instruction; ++it) {
        uint64_t hash = 0xcbf29ce484222325ULL;
        for (unsigned round = 0; round < rounds; ++round) {
            prepare(round);
            it->execute();
            hash = digest(hash, &after, sizeof after);
            hash = digest(hash, buffer, sizeof buffer);
        }
        printf("%016llx %s\n", (unsigned long long)hash, it->text);
    }
    return 0;
}

int main(int argc, char** argv) {
    if (argc > 1) rounds = (unsigned)atoi(argv[1]);
    setvbuf(stdout, 0, _IOLBF, 4096);
    for (int i = 0; i < 4; ++i) targets[i] = nothing;
    pthread_t thread;
    pthread_create(&thread, 0, body, 0);
    pthread_join(thread, 0);
    return 0;
}
