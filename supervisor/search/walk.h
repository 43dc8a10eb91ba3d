// Walks through a known program in memory: a track whose threads announce the actions of the knowledge.
//
// The walk can also go along an execution that begins with the track. It then learns on the way, and learns the rest as
// soon as it takes another step. This saves following the execution first and walking it again.
#pragma once

#include "supervisor/search/follower.h"
#include "supervisor/search/knowledge.h"
#include "supervisor/trace/execution.h"
#include "supervisor/trace/track.h"

namespace raddle {

// The choices on the track.
Schedule schedule_of(const Track& track);

class Walk {
public:
    Walk(MachineOptions options, Knowledge& knowledge)
        : track_(options), knowledge_(knowledge), follower_(track_, &knowledge) {}

    // False if the main thread's first action is unknown.
    bool begin() {
        if (track_.started()) return true;
        const Knowledge::Next first = knowledge_.first();
        if (!first) return false;
        track_.start(*first.action, first.since);
        return true;
    }

    // Takes the step. False if the thread's next action is unknown; the thread then announces nothing.
    bool step(ThreadSlot thread, std::uint32_t value) {
        if (!follows_ || !go_along(thread, value)) track_.push(thread, value);
        const TrackEvent& event = track_[track_.size() - 1];
        return event.outcome.ends_thread || track_.machine().thread(thread).life == Life::announced || announce(event);
    }
    // Announces the next action of the last step's thread, if it is known by now.
    bool announce(const TrackEvent& last) {
        const Knowledge::Next next = knowledge_.after(last.past, last.since);
        if (!next) return false;
        track_.announce(last.thread, *next.action, next.since);
        return true;
    }
    // Takes the last step back.
    void back() {
        if (follows_) learn_the_rest();
        track_.pop();
    }

    // Goes along the execution. Returns false and does nothing if the track is no prefix of it, or if it has more than
    // `most_threads` threads. The execution has to live until learn_the_rest().
    bool follow(const Execution& execution, std::size_t most_threads);
    void learn_the_rest();
    // True while it goes along an execution behind a past that was unknown before: no node here was visited before.
    bool is_beyond_known() const { return follows_; }
    // The result of following, and the graph of the whole execution.
    const Followed& followed() const { return follower_.followed(); }
    Hash128 followed_graph() const { return followed_graph_; }

    Track& track() { return track_; }
    const Track& track() const { return track_; }
    Machine& machine() { return track_.machine(); }
    const Machine& machine() const { return track_.machine(); }

    Schedule schedule() const { return schedule_of(track_); }
    // Takes the steps of the schedule from the beginning on. False if the first action is unknown or a step is
    // impossible.
    bool take(const Schedule& schedule);

private:
    bool go_along(ThreadSlot thread, std::uint32_t value);

    Track track_;
    Knowledge& knowledge_;
    Follower follower_;
    bool follows_ = false;
    Hash128 followed_graph_{};
};

}  // namespace raddle
