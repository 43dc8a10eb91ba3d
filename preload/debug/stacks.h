// Copies stacks for the supervisor to unwind (stack_area.h). Only in executions that are to be explained; all others
// pay one test of a pointer. Touches neither heap nor errno, and reads nothing that might not be mapped.
#pragma once

#include "preload/schedule/callbacks.h"
#include "supervisor/protocol/stack_area.h"

namespace raddle::stacks {

void begin(channel::StackArea* shared);

// What the next snapshot is taken from, in the place of whoever asks for it: general registers by their numbers.
void take_from(const std::uint64_t (&registers)[16], std::uint64_t stack_pointer, std::uint64_t instruction);
// It died here; the registers as the kernel gives them to a signal handler (gregs).
// `instruction`: the program's own, which may have been executed elsewhere.
void take_crash(const Thread& thread, const long long* at_fault, std::uint64_t instruction);
void note_block(const void* block, std::size_t bytes, bool is_free);

}  // namespace raddle::stacks
