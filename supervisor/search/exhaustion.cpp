#include "supervisor/search/exhaustion.h"

#include <limits>

#include "supervisor/search/bounded/bounded_search.h"
#include "supervisor/search/tree/tree_search.h"

namespace raddle {

namespace {

// Walks along the path and then lets each thread run on; false at an unknown past.
bool walk_to_the_end(Walk& walk, const std::vector<TreeStep>& path) {
    Track& track = walk.track();
    Position shared = 0;
    while (shared < path.size() && shared < track.size() && track[shared].thread == path[shared].thread &&
           track[shared].value == path[shared].value)
        ++shared;
    track.pop_to(shared);
    for (Position i = shared; i < path.size(); ++i)
        if (!walk.step(path[i].thread, path[i].value)) return false;
    for (;;) {
        const ThreadSlot thread = run_on_thread(track.machine(), track.last_thread(), [](ThreadSlot) { return true; });
        if (thread == no_slot) return true;
        if (!walk.step(thread, 0)) return false;
    }
}

}  // namespace

bool every_graph_is_known(Walk& walk, const std::function<bool(const Hash128&)>& seen) {
    TreeSearch every(TreeSearch::Rule::optimal);
    bool known = true;
    while (known) {
        const auto plan = every.next();
        if (!plan) break;
        known = walk_to_the_end(walk, plan->path) && seen(walk.track().graph());
        if (known) every.learn(*plan, walk.track());
    }
    walk.track().pop_to(0);
    return known;
}

bool every_view_is_known(Walk& walk, std::size_t memory_limit, const std::function<bool(const Hash128&)>& seen) {
    constexpr std::uint32_t unbounded = std::numeric_limits<std::uint32_t>::max() - 2;
    BoundedSearch every(walk, memory_limit);
    bool known = true;
    do {
        every.begin_pass(unbounded);
        for (auto stop = every.advance(); stop != BoundedSearch::Stop::done && known; stop = every.advance())
            known = stop == BoundedSearch::Stop::leaf && seen(walk.track().graph());
    } while (known && every.must_repeat());
    every.leave_pass();
    return known;
}

}  // namespace raddle
