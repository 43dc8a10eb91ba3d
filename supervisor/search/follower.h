// Follows recorded executions on a track: it applies each event to the machine and compares the results. Executions
// with a common prefix share its cost. The follower also enters the actions after each past into the knowledge, if it
// has one.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "supervisor/search/knowledge.h"
#include "supervisor/trace/execution.h"
#include "supervisor/trace/track.h"

namespace raddle {

struct Followed {
    Position from = 0;   // earlier events were on the track already
    bool agrees = true;  // false: the machine does not allow the event at `track.size()`
    std::string disagreement;
    std::optional<std::string> contradiction;  // to the knowledge: the program is not a function of its schedule
};

class Follower {
public:
    // Both have to outlive it.
    explicit Follower(Track& track, Knowledge* knowledge = nullptr) : track_(track), knowledge_(knowledge) {}

    // Follows the execution to its end, or to the first disagreement.
    const Followed& follow(const Execution& execution);

    // ---- or event by event; the execution has to live as long
    // Takes the track back to the common prefix.
    void begin(const Execution& execution);
    // Starts at the end of the track, which must be a prefix of the execution, and learns the next action of the last
    // event's thread. Returns false and leaves the track alone if the track is no prefix or the thread did nothing
    // more.
    bool begin_here(const Execution& execution);
    bool more() const { return followed_.agrees && track_.size() < execution_->events.size(); }
    bool next_is(ThreadSlot thread, std::uint32_t value) const {
        const Event& event = execution_->events[track_.size()];
        return event.value == value && event.thread == track_.machine().thread(thread).id;
    }
    // Takes the next event; false if the machine disagrees.
    bool feed();
    // Like feed(), if the machine is known to allow the step.
    bool feed_allowed(ThreadSlot thread);
    // Learns all new facts. Facts are collected and learned in groups, as memory look-ups are slow one by one; call it
    // before reading the knowledge or followed().contradiction.
    void learn_all();
    const Followed& followed() const { return followed_; }

    // The action that the thread announces after the event at i; null if it ends, continues by itself, or was still
    // running at the end of the execution.
    const Action* next_of(const Execution& execution, Position i) const;
    // The same with the label of the code before it.
    struct Announced {
        const Action* action = nullptr;
        std::uint64_t code = 0;
    };
    Announced announced_after(const Execution& execution, Position i) const {
        return announced_at(execution, successor_[i]);
    }
    Announced first_of_main(const Execution& execution) const { return announced_at(execution, first_of_main_); }
    // The number of threads with an event or a pending action.
    std::size_t threads() const { return seen_.size(); }
    // The preemptions of the execution's schedule. Rebuilds the track.
    std::uint32_t preemptions(const Execution& execution);

private:
    static constexpr std::uint32_t no_index = 0xffffffffu;

    Position find_successors(const Execution& execution);
    bool same_so_far(const Execution& execution, Position i) const;
    bool disagree(std::string what);
    static Announced announced_at(const Execution& execution, std::uint32_t index);
    Knowledge::Epoch epoch_of(Position at, const Action& next) const;
    void learn(Position at, const Announced& next);

    // The next action of an event's thread, to be learned.
    struct NewFact {
        Hash128 past;
        Knowledge::Epoch since;
        ThreadSlot thread;
        Position at;
        Announced next;
    };
    static constexpr std::size_t max_new_facts = 256;

    Track& track_;
    Knowledge* knowledge_;
    const Execution* execution_ = nullptr;
    Followed followed_;
    std::vector<std::uint32_t> successor_;  // of the events of `before_`, by event: the index of its thread's next
                                            // event; an index past the events is pending
    Events before_;
    std::vector<std::pair<ThreadId, std::uint32_t>> seen_;
    std::uint32_t first_of_main_ = no_index;
    std::vector<NewFact> new_facts_;
    bool left_open_ = false;  // some thread on the track announced nothing: do not extend it
};

}  // namespace raddle
