#include "replay/explain/arrows.h"

#include <algorithm>
#include <map>

namespace raddle {

std::vector<Order> arrows_between(const Track& track, const std::vector<Position>& positions) {
    std::vector<Order> arrows;
    std::map<ThreadSlot, std::vector<Position>> of_thread;  // earlier events of each thread
    for (const Position at : positions) {
        if (at >= track.size()) break;
        const ThreadSlot own = track[at].thread;
        std::vector<Position>& before_it = of_thread[own];
        std::vector<Position> candidates;  // per other thread, the last event that happens before the current one
        for (const auto& [thread, events] : of_thread) {
            if (thread == own) continue;
            const std::uint32_t known = track.clock(at, thread);
            const auto after =
                std::upper_bound(events.begin(), events.end(), known,
                                 [&](std::uint32_t number, Position event) { return number < track[event].number; });
            if (after == events.begin()) continue;
            const Position last = *(after - 1);
            // The previous event of the same thread may already imply this order.
            if (before_it.empty() || !track.before(last, before_it.back())) candidates.push_back(last);
        }
        for (const Position one : candidates) {
            const bool follows = std::any_of(candidates.begin(), candidates.end(),
                                             [&](Position other) { return other != one && track.before(one, other); });
            if (!follows) arrows.push_back({one, at});
        }
        before_it.push_back(at);
    }
    return arrows;
}

}  // namespace raddle
