// Executes instructions of every kind that access memory, on random operands, and prints the resulting registers, flags
// and memory. The output must be the same natively and under raddle. Runs in a second thread, because raddle watches
// no accesses before there is one.
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

// r15 points into the buffer, r14 is a small index; all other registers hold random values.
__asm__(
    ".macro each_register do\n"
    "\\do %rax, 0\n"
    "\\do %rcx, 1\n"
    "\\do %rdx, 2\n"
    "\\do %rbx, 3\n"
    "\\do %rbp, 5\n"
    "\\do %rsi, 6\n"
    "\\do %rdi, 7\n"
    "\\do %r8, 8\n"
    "\\do %r9, 9\n"
    "\\do %r10, 10\n"
    "\\do %r11, 11\n"
    "\\do %r12, 12\n"
    "\\do %r13, 13\n"
    "\\do %r14, 14\n"
    "\\do %r15, 15\n"
    ".endm\n"
    ".macro take register, number\n"
    "movq before+8*\\number(%rip), \\register\n"
    ".endm\n"
    ".macro give register, number\n"
    "movq \\register, after+8*\\number(%rip)\n"
    ".endm\n"
    ".macro each_vector do\n"
    ".irp number, 0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15\n"
    "\\do %xmm\\number, \\number\n"
    ".endr\n"
    ".endm\n"
    ".macro take_vector register, number\n"
    "movups before+136+16*\\number(%rip), \\register\n"
    ".endm\n"
    ".macro give_vector register, number\n"
    "movups \\register, after+136+16*\\number(%rip)\n"
    ".endm\n"
    ".section .data.rel.ro,\"aw\"\n"
    ".globl first_instruction\n"
    ".hidden first_instruction\n"
    "first_instruction:\n"
    ".previous\n"
    ".macro try text\n"
    ".pushsection .text\n"
    ".p2align 4\n"
    "771:\n"
    ".cfi_startproc\n"
    "pushq %rbx\n"
    "pushq %rbp\n"
    "pushq %r12\n"
    "pushq %r13\n"
    "pushq %r14\n"
    "pushq %r15\n"
    "each_vector take_vector\n"
    "pushq before+128(%rip)\n"
    "popfq\n"
    "each_register take\n"
    "\\text\n"
    "each_register give\n"
    "pushfq\n"
    "popq after+128(%rip)\n"
    "cld\n"
    "each_vector give_vector\n"
    "popq %r15\n"
    "popq %r14\n"
    "popq %r13\n"
    "popq %r12\n"
    "popq %rbp\n"
    "popq %rbx\n"
    "ret\n"
    ".cfi_endproc\n"
    ".popsection\n"
    ".pushsection .rodata\n"
    "772: .asciz \"\\text\"\n"
    ".popsection\n"
    ".pushsection .data.rel.ro,\"aw\"\n"
    ".quad 771b\n"
    ".quad 772b\n"
    ".popsection\n"
    ".endm\n");

#define TRY(text) __asm__("try \"" text "\"");
// Uses each addressing mode: relative to the instruction, by a register, by base and index.
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
__asm__(
    ".section .data.rel.ro,\"aw\"\n"
    ".globl last_instruction\n"
    ".hidden last_instruction\n"
    "last_instruction:\n"
    ".quad 0\n"
    ".previous\n");

static uint64_t random_state = 88172645463325252ULL;
static uint64_t draw(void) {
    random_state ^= random_state << 13;
    random_state ^= random_state >> 7;
    return random_state ^= random_state << 17;
}

// Passes the operands on the stack, so that little more than the instructions themselves runs.
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
    // x87 and vector operands are numbers, not random bits: signalling values are not compared.
    for (int i = 0; i < 32; ++i) {
        const double number = (double)(int)draw();
        memcpy(buffer + 256 + 8 * i, &number, sizeof number);
    }
    const uint64_t arithmetic_flags = 0x8d5, direction = 0x400;
    before.flags = 0x202 | (draw() & arithmetic_flags) | (round % 4 == 3 ? direction : 0);
    before.registers[1] = round % 2 == 0 ? draw() % 5 : before.registers[1];
    before.registers[15] = (uintptr_t)(buffer + 64);
    before.registers[14] = draw() % 4;
    // Strings lie far from the ends of the buffer, in both directions.
    before.registers[6] = (uintptr_t)(buffer + 128);
    before.registers[7] = (uintptr_t)(buffer + 160);
    if (round % 2 == 0) memcpy(buffer + 96, buffer + 128, 64);
    if (round % 2 == 0) {  // half of the comparisons find equal strings
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
