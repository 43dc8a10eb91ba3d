// Two threads hold values in all registers while they access a shared variable: vector, mask and x87 registers, the
// flags, the modes of rounding, and the red zone. Argument: the width of the vectors, 0 (16 bytes), 1 or 2 (64 bytes).
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct State {
    uint8_t vectors[32][64];
    uint64_t masks[8];
    double x87[2];
    uint32_t mxcsr, x87_control;
    uint64_t flags;
    uint64_t red_zone[16];
    uint64_t general[10];
};

__asm__(".macro load_0 n\n movdqu 64*\\n(%rdi), %xmm\\n\n .endm\n"
        ".macro save_0 n\n movdqu %xmm\\n, 64*\\n(%rsi)\n .endm\n"
        ".macro load_1 n\n vmovdqu 64*\\n(%rdi), %ymm\\n\n .endm\n"
        ".macro save_1 n\n vmovdqu %ymm\\n, 64*\\n(%rsi)\n .endm\n"
        ".macro load_2 n\n vmovdqu64 64*\\n(%rdi), %zmm\\n\n .endm\n"
        ".macro save_2 n\n vmovdqu64 %zmm\\n, 64*\\n(%rsi)\n .endm\n"
        ".altmacro\n"
        ".macro hold_registers width\n"
        " .globl hold_\\width\n .type hold_\\width, @function\n"
        "hold_\\width:\n"
        " pushq %rbx\n pushq %rbp\n pushq %r12\n pushq %r13\n pushq %r14\n pushq %r15\n"
        " .irp n, 0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15\n load_\\width \\n\n .endr\n"
        " .if \\width == 2\n"
        " .irp n, 16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31\n load_2 \\n\n .endr\n"
        " .irp n, 1,2,3,4,5,6,7\n kmovw 2048+8*\\n(%rdi), %k\\n\n .endr\n"
        " .endif\n"
        " fldcw 2132(%rdi)\n fldl 2112(%rdi)\n fldl 2120(%rdi)\n ldmxcsr 2128(%rdi)\n"
        " .irp n, 0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15\n"
        " movq 2144+8*\\n(%rdi), %rax\n movq %rax, -128+8*\\n(%rsp)\n .endr\n"
        " movq 2272(%rdi), %rbx\n movq 2280(%rdi), %rbp\n movq 2288(%rdi), %r8\n movq 2296(%rdi), %r9\n"
        " movq 2304(%rdi), %r10\n movq 2312(%rdi), %r11\n movq 2320(%rdi), %r12\n movq 2328(%rdi), %r13\n"
        " movq 2336(%rdi), %r14\n movq 2344(%rdi), %r15\n"
        " leaq -128(%rsp), %rsp\n pushq 2136(%rdi)\n popfq\n leaq 128(%rsp), %rsp\n"
        " movl (%rdx), %ecx\n movl $1, (%rdx)\n movl (%rdx), %ecx\n"
        " movq %rbx, 2272(%rsi)\n movq %rbp, 2280(%rsi)\n movq %r8, 2288(%rsi)\n movq %r9, 2296(%rsi)\n"
        " movq %r10, 2304(%rsi)\n movq %r11, 2312(%rsi)\n movq %r12, 2320(%rsi)\n movq %r13, 2328(%rsi)\n"
        " movq %r14, 2336(%rsi)\n movq %r15, 2344(%rsi)\n"
        " .irp n, 0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15\n"
        " movq -128+8*\\n(%rsp), %rax\n movq %rax, 2144+8*\\n(%rsi)\n .endr\n"
        " leaq -128(%rsp), %rsp\n pushfq\n popq 2136(%rsi)\n leaq 128(%rsp), %rsp\n cld\n"
        " stmxcsr 2128(%rsi)\n fnstcw 2132(%rsi)\n fstpl 2120(%rsi)\n fstpl 2112(%rsi)\n"
        " .irp n, 0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15\n save_\\width \\n\n .endr\n"
        " .if \\width == 2\n"
        " .irp n, 16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31\n save_2 \\n\n .endr\n"
        " .irp n, 1,2,3,4,5,6,7\n kmovw %k\\n, 2048+8*\\n(%rsi)\n .endr\n"
        " .endif\n"
        " .if \\width > 0\n vzeroupper\n .endif\n"
        " fninit\n ldmxcsr usual_mxcsr(%rip)\n"
        " popq %r15\n popq %r14\n popq %r13\n popq %r12\n popq %rbp\n popq %rbx\n ret\n"
        " .size hold_\\width, .-hold_\\width\n"
        ".endm\n"
        ".noaltmacro\n"
        ".pushsection .rodata\n.balign 4\nusual_mxcsr: .long 0x1f80\n.popsection\n"
        ".text\nhold_registers 0\nhold_registers 1\nhold_registers 2\n");

void hold_0(const struct State* in, struct State* out, int* shared);
void hold_1(const struct State* in, struct State* out, int* shared);
void hold_2(const struct State* in, struct State* out, int* shared);

static int width;
static int shared;

static void fill(struct State* state, unsigned seed)
{
    memset(state, 0, sizeof *state);
    const int vectors = width == 2 ? 32 : 16, bytes = 16 << width;
    for (int i = 0; i < vectors; ++i)
        for (int at = 0; at < bytes; ++at) state->vectors[i][at] = (uint8_t)(seed * 97 + i * 7 + at);
    if (width == 2)
        for (int i = 1; i < 8; ++i) state->masks[i] = (seed * 1000 + i) & 0xffff;
    state->x87[0] = seed + 0.5;
    state->x87[1] = seed + 0.25;
    state->mxcsr = seed == 1 ? 0x7f80 : 0x3f80;  // rounds to zero, or down
    state->x87_control = seed == 1 ? 0x0f7f : 0x077f;
    state->flags = seed == 1 ? 0x8d7 | 0x400 : 0x202;  // all that a program sets itself, the direction too; or none
    if (seed == 1) state->flags |= 0x200;
    for (int i = 0; i < 16; ++i) state->red_zone[i] = 0x1111111111111111u * seed + i;
    for (int i = 0; i < 10; ++i) state->general[i] = 0x0101010101010101u * seed + i;
}

static void* body(void* argument)
{
    struct State in, out;
    fill(&in, (unsigned)(uintptr_t)argument);
    memset(&out, 0, sizeof out);
    (width == 2 ? hold_2 : width == 1 ? hold_1 : hold_0)(&in, &out, &shared);
    const uint8_t *before = (const uint8_t*)&in, *after = (const uint8_t*)&out;
    for (unsigned at = 0; at < sizeof in; ++at)
        if (before[at] != after[at]) {
            fprintf(stderr, "thread %d: byte %u of the state is %02x, not %02x\n", (int)(uintptr_t)argument, at,
                    after[at], before[at]);
            abort();
        }
    return NULL;
}

int main(int count, char** words)
{
    width = count > 1 ? atoi(words[1]) : 0;
    pthread_t threads[2];
    for (uintptr_t i = 0; i < 2; ++i) pthread_create(&threads[i], NULL, body, (void*)(i + 1));
    for (int i = 0; i < 2; ++i) pthread_join(threads[i], NULL);
    return 0;
}
