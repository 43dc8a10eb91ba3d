// The slow path of an access: notes it, and announces it as an action if its instruction is visible.
#pragma once

#include "preload/memory/state.h"

namespace raddle::memory {

// A plain read or write of some bytes.
struct PlainAccess {
    std::uint64_t address, bytes;
    std::uint8_t mode;
};

// For an access that is a call (calls.h). `plain_access`: describes the whole access if its size is not 0. `readable`:
// null if the caller's state is unknown.
void perform_access(AccessFrame& frame, const AccessSite& site, std::uint64_t instruction, bool visible,
                    const PlainAccess& plain_access, const ReadableState* readable);

}  // namespace raddle::memory
