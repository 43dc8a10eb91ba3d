#include "supervisor/search/explicit/peephole_search.h"

#include <algorithm>

#include "supervisor/trace/neighbours.h"

namespace raddle {

void PeepholeSearch::begin() {
    walk_.track().pop_to(0);
    path_.clear();
    at_unknown_ = gives_up_ = false;
    schedules_ = 0;
}

PeepholeSearch::Stop PeepholeSearch::advance() {
    bool enters = path_.empty();
    if (at_unknown_) {
        at_unknown_ = false;
        enters = !gives_up_ && walk_.announce(walk_.track()[walk_.track().size() - 1]);
        if (!enters) walk_.back();
        gives_up_ = false;
    }
    for (;;) {
        if (enters && enter() == Stop::leaf) return Stop::leaf;
        enters = false;
        if (path_.back().left.empty()) {
            path_.pop_back();
            if (path_.empty()) return Stop::done;
            walk_.back();
            continue;
        }
        const Candidate next = path_.back().left.back();
        path_.back().left.pop_back();
        const bool is_known = walk_.step(next.thread, next.value);
        if (has_neighbours_to_swap(walk_.track())) {
            walk_.back();
        } else if (is_known) {
            enters = true;
        } else {
            at_unknown_ = true;
            return Stop::unknown;
        }
    }
}

// Collects the steps of the node at the end of the walk; Stop::leaf if there are none.
PeepholeSearch::Stop PeepholeSearch::enter() {
    Node& node = path_.emplace_back();
    const Machine& machine = walk_.machine();
    bool has_ended = true;
    for (ThreadSlot thread = 0; thread < machine.thread_count(); ++thread) {
        const std::uint32_t ways = machine.alternatives(thread).count;
        has_ended = has_ended && ways == 0;
        if (ways > 0 && machine.exceeds_threads(thread)) {
            met_thread_limit_ = true;
            continue;
        }
        for (std::uint32_t value = ways; value-- > 0;) node.left.push_back({thread, value});
    }
    // The thread that ran goes on first, so that one execution serves the whole first descent.
    const ThreadSlot last = walk_.track().last_thread();
    std::stable_partition(node.left.begin(), node.left.end(),
                          [&](const Candidate& candidate) { return candidate.thread != last; });
    if (has_ended) ++schedules_;
    return has_ended ? Stop::leaf : Stop::unknown;
}

}  // namespace raddle
