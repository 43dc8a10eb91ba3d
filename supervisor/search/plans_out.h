// The plans that are out at one time, and whether their executions can have the same graph.
//
// A plan forces the events of its prefix. Two plans are apart if no execution contains the events of both: then their
// graphs differ, whatever happens behind the prefixes. That is so
//   * if some thread has another past after equally many events, or
//   * if an event of one and an event of the other, neither in both, depend on each other: one of the two would come
//     first, and the other would have it in its past. (Not under Independence::values, where a past need not hold the
//     events that it depends on.)
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "supervisor/base/hash.h"
#include "supervisor/trace/track.h"

namespace raddle {

class PlansOut {
public:
    // True if the plan whose prefix is the track is apart from every plan that is out.
    bool are_apart_from(const Track& track) const;
    // The plan with this prefix is out.
    void add(std::uint64_t id, const Track& track);
    void remove(std::uint64_t id) { plans_.erase(id); }
    bool empty() const { return plans_.empty(); }
    void clear() { plans_.clear(); }

private:
    struct Use {
        ObjectId object;
        Mode mode;
    };
    struct ForcedEvent {
        ThreadId thread;
        Hash128 past;
        std::uint8_t use_count = 0;
        Use uses[most_uses]{};
    };
    struct Prefix {
        std::vector<ForcedEvent> events;
        // By thread: its events in order. Made when it is needed first: often no other plan is asked for meanwhile.
        std::unordered_map<std::uint64_t, std::vector<const ForcedEvent*>> by_thread;
    };

    static void sort_by_thread(Prefix& prefix);
    static bool have_another_past(const Prefix& prefix, const Track& track);
    static bool depend(const Prefix& prefix, const Track& track);

    mutable std::unordered_map<std::uint64_t, Prefix> plans_;
};

}  // namespace raddle
