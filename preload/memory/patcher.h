// Patches the program's instructions as the supervisor's description says, and answers questions about patched code.
#pragma once

#include "supervisor/protocol/patches.h"

namespace raddle::memory {

// Maps the description. Called once, before the program's own code runs.
void describe(long descriptor);
bool armed();  // there is a description
// Whether this byte may be part of a patched instruction, now or later.
bool may_be_patched(const void* byte);
// The program's own instruction for an instruction in a copy; others are returned unchanged.
std::uint64_t original_of(std::uint64_t instruction);
// Turns the registers of a fault (gregs) into the program's. A fault in a function of the shim keeps its own: unwinding
// leads to the program's call.
void show_program(long long* registers);
// After a breakpoint: sets the address to continue at. False if the breakpoint is not the shim's.
bool redirect(std::uint64_t& instruction);

// checks/entry.cpp: false if this processor cannot save its registers as the checks need it.
bool prepare_entry();

}  // namespace raddle::memory
