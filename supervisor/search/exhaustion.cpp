#include "supervisor/search/exhaustion.h"

#include "supervisor/search/tree_search.h"

namespace raddle {

namespace {

// Along the path, then as a plan's tail runs on; false where that leads beyond what is known.
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

}  // namespace raddle
