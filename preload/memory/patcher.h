// Patches the program's instructions as the supervisor's description says, and answers questions about patched code.
#pragma once

#include "supervisor/protocol/patches.h"

namespace raddle::memory {

// Maps the description and patches the code. Called once, before the program's own code runs.
void arm(long descriptor);
bool armed();
// The program's own instruction for an instruction in a trampoline; others are returned unchanged.
std::uint64_t original_of(std::uint64_t instruction);
// After a breakpoint: sets the address to continue at. False if the breakpoint is not the shim's.
bool redirect(std::uint64_t& instruction);

// entry.cpp: false if this processor cannot save its registers as the trampolines need it.
bool prepare_entry();

}  // namespace raddle::memory
