// The steps of a target's last execution: a plan that shares the first of them can begin at a checkpoint
// (preload/restore/checkpoints.h).
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "supervisor/trace/execution.h"

namespace raddle {

class LastSteps {
public:
    void note(const std::vector<Event>& events) {
        steps_.clear();
        for (const Event& event : events) steps_.push_back({event.thread, event.value});
    }
    // The number of first steps that the prefix shares with the last execution. None if it repeats that execution: the
    // repetition has to show whether all of it happens again.
    std::uint32_t shared_with(const Schedule& prefix) const {
        const auto ends = std::mismatch(prefix.begin(), prefix.end(), steps_.begin(), steps_.end());
        const bool is_repetition = ends.first == prefix.end() && ends.second == steps_.end();
        return is_repetition ? 0 : static_cast<std::uint32_t>(ends.first - prefix.begin());
    }

private:
    Schedule steps_;
};

}  // namespace raddle
