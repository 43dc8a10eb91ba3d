// Follows recorded executions on a track: each of its events is applied to the machine and held against what the
// machine says. Executions that begin alike share their beginning, so following a neighbour costs only what differs.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "supervisor/search/knowledge.h"
#include "supervisor/trace/execution.h"
#include "supervisor/trace/track.h"

namespace raddle {

struct Followed {
    Position from = 0;          // events before this one were on the track already
    bool agrees = true;         // false: at `track.size()` the record says what the machine says cannot be
    std::string disagreement;
};

class Follower {
public:
    explicit Follower(MachineOptions options) : track_(options) {}

    Followed follow(const Execution& execution);
    Track& track() { return track_; }
    const Track& track() const { return track_; }

    // What the execution just followed says about the program, from the event at `from` on. Returns what contradicts
    // what was known: the program is then not a function of its schedule.
    std::optional<std::string> teach(const Execution& execution, Position from, Knowledge& knowledge) const;

    // After the event at i its thread announces this; null if it ends, goes on by itself, or was still running when
    // the execution ended.
    const Action* next_of(const Execution& execution, Position i) const;
    const Action* first_of_main(const Execution& execution) const;
    // Preemptions of the schedule on the track. Takes the track apart and builds it again.
    std::uint32_t preemptions(const Execution& execution);

private:
    static constexpr std::uint32_t no_index = 0xffffffffu;

    void find_successors(const Execution& execution);
    bool same_so_far(const Execution& execution, Position i) const;

    Track track_;
    std::vector<std::uint32_t> successor_;  // of each event: index of its thread's next one, or beyond the events: pending
    std::vector<std::pair<ThreadId, std::uint32_t>> seen_;
    std::uint32_t first_of_main_ = no_index;
    bool left_open_ = false;  // some thread on the track announced nothing: do not build on it
};

}  // namespace raddle
