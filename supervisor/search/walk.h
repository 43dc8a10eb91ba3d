// A program as far as it is known, walked in memory: a track whose threads announce what the knowledge says they do.
#pragma once

#include "supervisor/search/knowledge.h"
#include "supervisor/trace/execution.h"
#include "supervisor/trace/track.h"

namespace raddle {

class Walk {
public:
    Walk(MachineOptions options, const Knowledge& knowledge) : track_(options), knowledge_(knowledge) {}

    // False while even main's first action is unknown.
    bool begin() {
        if (track_.started()) return true;
        const Action* first = knowledge_.after(Knowledge::beginning);
        if (first == nullptr) return false;
        track_.start(*first);
        return true;
    }

    // Takes the step. False if nobody knows what the thread does after it; then it announces nothing.
    bool step(ThreadSlot thread, std::uint32_t value) {
        const TrackEvent& event = track_.push(thread, value);
        return event.outcome.continues || event.outcome.ends_thread || announce(event.past);
    }
    // The last step's thread announces what is known by now.
    bool announce(const Hash128& past) {
        const Action* next = knowledge_.after(past);
        if (next == nullptr) return false;
        track_.announce(track_.last_thread(), *next);
        return true;
    }

    Track& track() { return track_; }
    const Track& track() const { return track_; }
    Machine& machine() { return track_.machine(); }
    const Machine& machine() const { return track_.machine(); }

    Schedule schedule() const {
        Schedule schedule(track_.size());
        for (Position i = 0; i < track_.size(); ++i)
            schedule[i] = {track_.machine().thread(track_[i].thread).id, track_[i].value};
        return schedule;
    }

private:
    Track track_;
    const Knowledge& knowledge_;
};


}  // namespace raddle
