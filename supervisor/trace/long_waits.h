// Whether threads of a program wait long for time: a wait with a time limit, or a sleep, while another thread is there.
// A result that assumes something about such waits has to say so.
#pragma once

#include <cstdint>

#include "supervisor/trace/replay_machine.h"

namespace raddle {

// Looks at the executions of a campaign. Those with a common prefix share its cost.
class LongWaits {
public:
    // A wait of this length is long, in nanoseconds, if the options have no limit for patience: a second, nearly.
    static constexpr std::uint64_t usual_limit = 999'000'000;

    explicit LongWaits(MachineOptions options)
        : limit_(options.limits_patience() ? options.patience : usual_limit), replay_(options) {}

    bool are_in(const Execution& execution);
    // One such execution is enough: later ones are not looked at.
    bool are_newly_in(const Execution& execution) { return !were_seen_ && (were_seen_ = are_in(execution)); }

private:
    bool may_be_long(const Action& action) const;
    bool waits_long_beside_others(ThreadSlot thread) const;

    std::uint64_t limit_;
    ReplayMachine replay_;
    bool were_seen_ = false;
};

}  // namespace raddle
