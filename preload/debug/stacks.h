// Copies stacks for the supervisor to unwind (supervisor/protocol/stack_area.h), in executions that are to be
// explained. All other executions pay one test of a pointer. The functions touch neither heap nor errno and never read
// unmapped memory.
//
// More functions, called by the scheduler: preload/schedule/callbacks.h.
#pragma once

#include "preload/schedule/callbacks.h"
#include "supervisor/protocol/stack_area.h"

namespace raddle::stacks {

void begin(channel::StackArea* shared);

// Sets the registers for the next snapshot, in the order of their numbers (patches.h). Otherwise the caller's are used.
void take_from(const std::uint64_t (&registers)[16], std::uint64_t stack_pointer, std::uint64_t instruction);
// The same for a fatal signal: the stack pointer need not be valid.
void take_from_fault(const long long* at_fault);
// Copies the stack of a thread that crashed. `at_fault`: the registers as a signal handler gets them (gregs), or as
// memory::show_program() changed them.
void take_crash(const Thread& thread, const long long* at_fault);
// The same for the current thread, which goes no further than here.
void take_crash_here();
// Notes that the current thread allocates or frees a heap block here.
void note_block(const void* block, std::size_t bytes, bool is_free);

}  // namespace raddle::stacks
