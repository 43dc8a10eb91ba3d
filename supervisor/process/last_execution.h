// A target's last execution. A plan that shares its first steps can begin at a checkpoint
// (preload/restore/checkpoints.h); the events up to there are taken from here instead of the channel.
#pragma once

#include <algorithm>
#include <cstdint>

#include "supervisor/process/channel/read_channel.h"

namespace raddle {

class LastExecution {
public:
    void note(const Observed& observed) {
        steps_.resize(observed.known_events);
        for (std::size_t i = steps_.size(); i < observed.events.size(); ++i)
            steps_.push_back({observed.events[i].thread, observed.events[i].value});
        events_ = observed.events;
        first_misuse_ = observed.first_misuse;
    }
    // The number of first steps that the prefix shares with it. None if it repeats that execution: the repetition has
    // to show whether all of it happens again.
    std::uint32_t shared_with(const Schedule& prefix) const {
        const auto ends = std::mismatch(prefix.begin(), prefix.end(), steps_.begin(), steps_.end());
        const bool is_repetition = ends.first == prefix.end() && ends.second == steps_.end();
        const auto shared = static_cast<std::size_t>(ends.first - prefix.begin());
        return is_repetition ? 0 : static_cast<std::uint32_t>(std::min(shared, events_.size()));
    }
    // Forgets the later events: they need no memory beside the new ones.
    Beginning beginning(std::size_t steps) {
        events_ = Events::first_of(events_, steps);
        return {events_, first_misuse_};
    }

private:
    Events events_;
    Schedule steps_;  // in one piece, as prefixes are
    std::size_t first_misuse_ = no_event;
};

}  // namespace raddle
