// The scores of steps, by the patterns in scores.def that they are part of. They order steps of equal cost; they never
// decide which steps are taken.
//
// A step counts for what it does between two accesses of the thread that it leaves, and for what its thread did soon
// after, on the paths before this one: free, destroy, wake up.
#pragma once

#include <cstdint>
#include <vector>

#include "supervisor/search/thread_set.h"
#include "supervisor/trace/track.h"

namespace raddle {

class StepScores {
public:
    // The track has a new event; call it for every event of a path. Threads are told apart by their slots: one machine,
    // one StepScores.
    void note_last(const Track& track) {
        const TrackEvent& event = track[track.size() - 1];
        if (event.thread >= known_.size() || event.number > known_[event.thread].size()) note(event);
    }
    // The thread among `branches`, without the `tried` ones, whose next step is best. All cost the same if they are
    // ready; a thread that is not ready keeps its place. no_slot if there is none.
    ThreadSlot best(const Track& track, const ThreadSet& branches, const ThreadSet& tried,
                    const ThreadSet& ready) const;

private:
    static constexpr std::size_t most_ahead = 16;  // events of a thread that count for its next step

    void note(const TrackEvent& event);
    std::uint32_t score_of(const Track& track, ThreadSlot thread) const;

    std::vector<std::vector<std::uint8_t>> known_;  // by thread and event: the score of what the event did
};

}  // namespace raddle
