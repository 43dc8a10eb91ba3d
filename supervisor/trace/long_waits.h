// Whether threads of a program wait long for time: a wait with a time limit, or a sleep, while another thread is there.
// A result that assumes something about such waits has to say so.
#pragma once

#include <algorithm>
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
    // The next execution shares at most so many first events with the one before: the others need no memory any more.
    void forget_after(std::size_t events) { before_ = Events::first_of(before_, std::min(events, before_.size())); }
    // One such execution is enough: later ones are not looked at.
    bool are_newly_in(const Execution& execution) { return !were_seen_ && (were_seen_ = are_in(execution)); }

private:
    bool may_be_long(const Action& action) const;
    bool may_have_one(const Execution& execution);
    bool waits_long_beside_others(ThreadSlot thread) const;

    std::uint64_t limit_;
    ReplayMachine replay_;
    bool were_seen_ = false;
    Events before_;  // of the execution before: none of these waits may be long
};

}  // namespace raddle
