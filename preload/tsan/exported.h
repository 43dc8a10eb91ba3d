// The macros that define exported functions. Their names and parameters are those that compilers expect of libtsan.
#pragma once

#include "preload/memory/calls/calls.h"

#define RADDLE_TSAN __attribute__((visibility("default")))

// RADDLE_REPORTS(type, name, (parameters)) { ... } defines a function that reports an access. RADDLE_CALLER gives its
// body the caller's registers.
//
// The registers that calls preserve belong to the caller's state: spinning threads are recognised by it. A compiler may
// overwrite them at once in the body. Therefore the exported function first pushes them onto the stack, above the frame
// of the body. All parameters must be in registers: those on the stack would not be found.
#define RADDLE_REPORTS(type, name, parameters) \
    type raddle_##name parameters;             \
    __asm__(                                   \
        ".pushsection .text\n"                 \
        ".globl " #name                        \
        "\n"                                   \
        ".type " #name                         \
        ", @function\n"                        \
        ".balign 16\n" #name                   \
        ":\n"                                  \
        ".cfi_startproc\n"                     \
        "pushq %rbp\n"                         \
        "pushq %rbx\n"                         \
        "pushq %r12\n"                         \
        "pushq %r13\n"                         \
        "pushq %r14\n"                         \
        "pushq %r15\n"                         \
        "subq $8, %rsp\n"                      \
        ".cfi_def_cfa_offset 64\n"             \
        "call raddle_" #name                   \
        "\n"                                   \
        "addq $56, %rsp\n"                     \
        ".cfi_def_cfa_offset 8\n"              \
        "ret\n"                                \
        ".cfi_endproc\n"                       \
        ".size " #name ", . - " #name          \
        "\n"                                   \
        ".popsection\n");                      \
    __attribute__((visibility("hidden"), used)) type raddle_##name parameters

// The registers lie above the body's frame: its saved frame pointer, its return address, and eight bytes of alignment.
#define RADDLE_CALLER \
    (*reinterpret_cast<const raddle::memory::Caller*>(static_cast<const char*>(__builtin_frame_address(0)) + 24))
