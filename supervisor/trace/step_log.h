// The steps of a track, for taking them again on this track or another one: the thread, the alternative, and the action
// that the thread announced next.
#pragma once

#include <vector>

#include "supervisor/trace/track.h"

namespace raddle {

class StepLog {
public:
    void record(const Track& track);
    Position size() const { return static_cast<Position>(steps_.size()); }
    ThreadSlot thread(Position i) const { return steps_[i].thread; }
    std::uint32_t value(Position i) const { return steps_[i].value; }
    // Takes the step at i. The track must already hold all events that happen before it.
    void replay(Track& track, Position i) const {
        const Step& step = steps_[i];
        track.push(step.thread, step.value);
        if (step.announces) track.announce(step.thread, step.next);
    }

private:
    struct Step {
        ThreadSlot thread = no_slot;
        std::uint32_t value = 0;
        bool announces = false;
        Action next{};
    };
    std::vector<Step> steps_;
};

}  // namespace raddle
