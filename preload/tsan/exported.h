// Of every function here the names and parameters are those that compilers expect of libtsan.
#pragma once

#include "preload/memory/calls.h"

#define RADDLE_TSAN __attribute__((visibility("default")))

// A function that tells of an access. What its caller keeps in registers that functions give back as they found them is part
// of what the caller still looks at, and a compiler may use these registers at once: so the exported function puts them on
// the stack, above the frame of the one that does the work. Parameters on the stack would not be where they are expected.
//   RADDLE_REPORTS(type, name, (parameters)) { … }     with RADDLE_CALLER
#define RADDLE_REPORTS(type, name, parameters)                                    \
    type raddle_##name parameters;                                              \
    __asm__(                                                                    \
        ".pushsection .text\n"                                                  \
        ".globl " #name "\n"                                                    \
        ".type " #name ", @function\n"                                          \
        ".balign 16\n" #name ":\n"                                              \
        ".cfi_startproc\n"                                                      \
        "pushq %rbp\n"                                                          \
        "pushq %rbx\n"                                                          \
        "pushq %r12\n"                                                          \
        "pushq %r13\n"                                                          \
        "pushq %r14\n"                                                          \
        "pushq %r15\n"                                                          \
        "subq $8, %rsp\n"                                                       \
        ".cfi_def_cfa_offset 64\n"                                              \
        "call raddle_" #name "\n"                                               \
        "addq $56, %rsp\n"                                                      \
        ".cfi_def_cfa_offset 8\n"                                               \
        "ret\n"                                                                 \
        ".cfi_endproc\n"                                                        \
        ".size " #name ", . - " #name "\n"                                      \
        ".popsection\n");                                                       \
    __attribute__((visibility("hidden"), used)) type raddle_##name parameters

// Above the frame: its caller's frame pointer, where it returns to, and eight bytes that align it.
#define RADDLE_CALLER (*reinterpret_cast<const raddle::memory::Caller*>(static_cast<const char*>(__builtin_frame_address(0)) + 24))
