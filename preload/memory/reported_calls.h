// Accesses that the program itself reports by calls (built with -fsanitize=thread; calls.h). Each call is treated like
// an instruction that accesses the memory its first argument points to.
#pragma once

#include "preload/schedule/canonical.h"
#include "supervisor/protocol/patches.h"

namespace raddle::memory {

// The description lists calls of this loaded module.
void add_reporting_module(const InstrumentedModule& module, const canonical::Module& loaded);
// Whether accesses by the call that returns to this address are actions.
bool is_visible_call(std::uint64_t call);
// An atomic read in the same step as the call's own action: only its writers need to be actions.
void note_atomic_read(std::uint64_t address, std::uint64_t bytes, std::uint64_t call);
// An access by the call that returns to `call`. `value`: what it writes, if that is known.
void access_by_call(std::uint64_t address, std::uint64_t bytes, std::uint8_t mode, std::uint64_t call,
                    const std::uint64_t* value);

}  // namespace raddle::memory
