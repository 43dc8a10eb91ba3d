// Feeds an execution event by event into a machine and checks each event: the machine must allow it and must compute
// the recorded result. Searches ask it for the threads that could have run, the preemptions so far, and the graph.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "supervisor/trace/execution.h"
#include "supervisor/trace/track.h"

namespace raddle {

// The first event on which the execution and the machine disagree.
struct Mismatch {
    std::size_t event = 0;
    std::string text;
};

class ReplayMachine {
public:
    // Only one that goes back can begin after a common prefix. It needs much more memory.
    enum class Back : bool { never, goes_back };
    explicit ReplayMachine(MachineOptions options, Back back = Back::never)
        : track_(options, back == Back::goes_back) {}

    // The execution has to live until the next begin().
    void begin(const Execution& execution);
    // Like begin(), but keeps the common prefix with the last execution. The next event is the first new one, or the
    // last common one.
    void begin_after_common_prefix(const Execution& execution);

    // Another event follows, and the machine allows it. The functions below need this:
    bool more() const { return at_ < execution_->events.size() && !mismatch_; }
    const Event& event() const { return execution_->events[at_]; }
    ThreadSlot thread() const { return thread_; }
    // The preemptions of a step at this point, be it the next event or an alternative to it.
    std::uint32_t cost(ThreadSlot thread, std::uint32_t value) const {
        return machine().cost(track_.last_thread(), thread, value);
    }
    // Applies the next event.
    const TrackEvent& feed();

    // Applies all events up to the end or a mismatch.
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
    void find_next_actions(std::size_t known);
    bool is_next_event_known() const;
    Position first_announced_otherwise() const;
    void check_next_event();
    void set_descriptor_amount(const Event& event);
    void compare(const Event& recorded, const TrackEvent& happened);
    void differs(std::string text);

    Track track_;
    const Execution* execution_ = nullptr;
    Events before_;  // of the execution begun last: `following_` points to them
    std::unordered_map<std::uint64_t, const Action*> upcoming_;  // by thread: its first action
    std::vector<const Action*> following_;                       // by event: its thread's next action, or null
    std::size_t at_ = 0;
    ThreadSlot thread_ = no_slot;
    std::vector<std::uint32_t> spent_;  // by event: preemptions so far
    std::optional<Mismatch> mismatch_;
};

}  // namespace raddle
