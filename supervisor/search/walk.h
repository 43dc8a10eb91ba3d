// A program as far as it is known, walked in memory: a track whose threads announce what the knowledge says they do.
//
// An execution that was sent from where the walk stands need not be followed first and walked again: the walk goes
// along it, learns on the way, and learns the rest as soon as it goes another way.
#pragma once

#include "supervisor/search/follower.h"
#include "supervisor/search/knowledge.h"
#include "supervisor/trace/execution.h"
#include "supervisor/trace/track.h"

namespace raddle {

class Walk {
public:
    Walk(MachineOptions options, Knowledge& knowledge)
        : track_(options), knowledge_(knowledge), follower_(track_, &knowledge) {}

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
        if (!follows_ || !go_along(thread, value)) track_.push(thread, value);
        const TrackEvent& event = track_[track_.size() - 1];
        return event.outcome.ends_thread || track_.machine().thread(thread).life == Life::announced ||
               announce(event.past);
    }
    // The last step's thread announces what is known by now.
    bool announce(const Hash128& past) {
        const Action* next = knowledge_.after(past);
        if (next == nullptr) return false;
        track_.announce(track_.last_thread(), *next);
        return true;
    }
    // Takes the last step back.
    void back() {
        if (follows_) learn_the_rest();
        track_.pop();
    }

    // False, and nothing happened, if the execution does not lead on from here, or has more threads than that. The
    // execution has to live until learn_the_rest().
    bool follow(const Execution& execution, std::size_t most_threads);
    void learn_the_rest();
    // It goes along an execution, behind a past that was unknown before: nothing that stands here was met before.
    bool is_on_new_ground() const { return follows_; }
    // What came of it, and the graph of the whole execution.
    const Followed& followed() const { return follower_.followed(); }
    Hash128 followed_graph() const { return followed_graph_; }

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
    bool go_along(ThreadSlot thread, std::uint32_t value);

    Track track_;
    Knowledge& knowledge_;
    Follower follower_;
    bool follows_ = false;
    Hash128 followed_graph_{};
};

}  // namespace raddle
