// Whether the order of a program's output is left open: two threads write to one file, and nothing in the execution's
// happens-before graph decides which write comes first. The writes are no events here; each stands between two events
// of its thread.
#pragma once

#include <cstdint>
#include <vector>

#include "supervisor/trace/replay_machine.h"

namespace raddle {

struct FreeWrite {
    ThreadId thread{};
    std::uint32_t events = 0;  // of its thread before it
    std::uint32_t file = 0;
};

struct FreeWrites {
    std::vector<FreeWrite> rows;  // in the order in which they came
    bool has_more = false;        // there were too many
};

// Looks at the executions of a campaign. Those with a common prefix share its cost.
class OutputOrder {
public:
    explicit OutputOrder(MachineOptions options) : replay_(options, ReplayMachine::Back::goes_back) {}

    bool is_open(const Execution& execution, const FreeWrites& writes);
    // One such execution is enough: later ones are not looked at.
    bool is_newly_open(const Execution& execution, const FreeWrites& writes) {
        return !was_open_ && (was_open_ = is_open(execution, writes));
    }

private:
    bool is_before(const FreeWrite& one, const FreeWrite& later) const;

    ReplayMachine replay_;
    bool was_open_ = false;
};

}  // namespace raddle
