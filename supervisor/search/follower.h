// Follows recorded executions on a track: each of their events is applied to the machine and held against what the
// machine says. Executions that begin alike share their beginning, so following a neighbour costs only what differs.
// What they tell about the program is learned on the way, if there is somebody to learn it.
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
    Position from = 0;          // events before this one were on the track already
    bool agrees = true;         // false: at `track.size()` the record says what the machine says cannot be
    std::string disagreement;
    std::optional<std::string> contradiction;  // of what was known: the program is not a function of its schedule
};

class Follower {
public:
    // Both have to outlive it.
    explicit Follower(Track& track, Knowledge* knowledge = nullptr) : track_(track), knowledge_(knowledge) {}

    // To its end, or to where it disagrees.
    const Followed& follow(const Execution& execution);

    // ---- or event by event; the execution has to live as long
    // The track is taken back to where the execution went another way.
    void begin(const Execution& execution);
    // The execution begins with all that is on the track, and the last event's thread went on: what it did next is
    // learned. False, and the track is as it was, if not.
    bool begin_here(const Execution& execution);
    bool more() const { return followed_.agrees && track_.size() < execution_->events.size(); }
    bool next_is(ThreadSlot thread, std::uint32_t value) const {
        const Event& event = execution_->events[track_.size()];
        return event.value == value && event.thread == track_.machine().thread(thread).id;
    }
    // Takes the next event; false if it disagrees.
    bool feed();
    // The same where the machine is known to allow that step.
    bool feed_allowed(ThreadSlot thread);
    // What was fed may be learned later, but for the first event after begin_here(): until this was called, it is not
    // known what has been learned, and whether it contradicts what was known.
    void learn_all();
    const Followed& followed() const { return followed_; }

    // After the event at i its thread announces this; null if it ends, goes on by itself, or was still running when
    // the execution ended.
    const Action* next_of(const Execution& execution, Position i) const;
    const Action* first_of_main(const Execution& execution) const;
    // How many threads did something, or were about to.
    std::size_t threads() const { return seen_.size(); }
    // Preemptions of the execution's schedule. Takes the track apart.
    std::uint32_t preemptions(const Execution& execution);

private:
    static constexpr std::uint32_t no_index = 0xffffffffu;

    void find_successors(const Execution& execution);
    bool same_so_far(const Execution& execution, Position i) const;
    bool disagree(std::string what);
    void learn(Position at, const Action& next);

    // To be learned: what the event's thread did next.
    struct Told {
        Hash128 past;
        ThreadSlot thread;
        Position at;
        const Action* next;
    };
    static constexpr std::size_t most_told = 256;

    Track& track_;
    Knowledge* knowledge_;
    const Execution* execution_ = nullptr;
    Followed followed_;
    std::vector<std::uint32_t> successor_;  // of each event: index of its thread's next one, or beyond the events: pending
    std::vector<std::pair<ThreadId, std::uint32_t>> seen_;
    std::uint32_t first_of_main_ = no_index;
    std::vector<Told> told_;
    bool left_open_ = false;  // some thread on the track announced nothing: do not build on it
};

}  // namespace raddle
