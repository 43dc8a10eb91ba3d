// Feeds an execution event by event into a machine, and holds each event to what the machine says: that it can happen,
// and comes to what was recorded. On the way it tells what searches ask of an execution: who else could have gone, what
// it cost in preemptions, what graph it is.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "supervisor/trace/execution.h"
#include "supervisor/trace/track.h"

namespace raddle {

// Where an execution and the machine first tell different stories.
struct Mismatch {
    std::size_t event = 0;
    std::string text;
};

class ReplayMachine {
public:
    explicit ReplayMachine(MachineOptions options) : track_(options) {}

    // The execution has to live until the next begin().
    void begin(const Execution& execution);
    // The same where executions that begin alike follow each other: what this one has in common with the last one need
    // not happen again. The next event is the first that is new, or the last in common.
    void begin_beside_last(const Execution& execution);

    // Another event comes, and it can happen. While this holds:
    bool more() const { return at_ < execution_->events.size() && !mismatch_; }
    const Event& event() const { return execution_->events[at_]; }
    ThreadSlot thread() const { return thread_; }
    // What a step instead of, or as, the next event costs in preemptions.
    std::uint32_t cost(ThreadSlot thread, std::uint32_t value) const {
        return machine().cost(track_.last_thread(), thread, value);
    }
    // The next event happens.
    const TrackEvent& feed();

    // Without looking at each event.
    void feed_all() {
        while (more()) feed();
    }

    std::size_t position() const { return at_; }
    const Machine& machine() const { return track_.machine(); }
    const Track& track() const { return track_; }
    std::uint32_t preemptions() const { return spent_.empty() ? 0 : spent_.back(); }
    Hash128 graph() const;
    const std::optional<Mismatch>& mismatch() const { return mismatch_; }

private:
    void find_next_actions();
    bool is_next_event_known() const;
    Position first_announced_otherwise() const;
    void meet();
    void tell_descriptor(const Event& event);
    void compare(const Event& recorded, const TrackEvent& happened);
    void differs(std::string text);

    Track track_;
    const Execution* execution_ = nullptr;
    std::unordered_map<std::uint64_t, const Action*> upcoming_;  // by thread: its first action
    std::vector<const Action*> following_;                       // by event: its thread's action after it, or null
    std::size_t at_ = 0;
    ThreadSlot thread_ = no_slot;
    std::vector<std::uint32_t> spent_;                           // by event: preemptions so far
    std::optional<Mismatch> mismatch_;
};

}  // namespace raddle
