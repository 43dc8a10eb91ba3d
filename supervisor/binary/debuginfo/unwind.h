// Unwinds stacks from snapshots of registers and stack memory, without the process, by the unwind tables in the
// program's files. This works for threads that the kernel does not know.
#pragma once

#include <array>
#include <optional>
#include <string>

#include "supervisor/binary/debuginfo/symbols.h"
#include "supervisor/protocol/stack_area.h"

namespace raddle {

struct StackSnapshot {
    std::array<std::uint64_t, channel::register_count> registers{};
    std::string memory;              // from the stack pointer up
    std::uint64_t counted_from = 0;  // see channel::Snapshot; 0: unknown
};

// The frames of these instructions (innermost first; of a caller, the call), down to main. Frames of the module at
// `hidden` (the shim) and of the runtimes of sanitizers are left out.
Stack named_stack(Symbols& symbols, const std::vector<std::uint64_t>& instructions, const std::string& hidden);

class Unwinder {
public:
    // Omits frames of the module at `hidden` (the shim).
    Unwinder(Symbols& symbols, std::string hidden) : symbols_(symbols), hidden_(std::move(hidden)) {}

    Stack stack_of(const StackSnapshot& snapshot);
    // The local variable at this address, in any of the frames. Nothing if there is none.
    std::optional<DataName> variable_at(const StackSnapshot& snapshot, std::uint64_t address);

private:
    struct Caller {
        std::uint64_t instruction = 0;
        DataNames::Registers registers;  // their values in that frame
    };
    std::vector<Caller> walk(const StackSnapshot& snapshot);

    Symbols& symbols_;
    std::string hidden_;
    bool attached_ = false;
    bool usable_ = false;
    const StackSnapshot* current_ = nullptr;

    friend struct UnwinderCallbacks;
};

}  // namespace raddle
