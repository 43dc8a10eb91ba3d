// The steps of a track as they can be taken again, on this track or another one: who, which way, and what the thread
// announced afterwards.
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
    // The step at i is taken on a track where all that happens before it was taken.
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
