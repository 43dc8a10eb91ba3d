// The events that each thread usually has, in all and on each object that threads contend for: the weights of the tail
// surw. An event counts for the objects that its action names, as in the tail. The counts are the largest of all
// executions that were learned, so the order of learning does not matter.
#pragma once

#include <map>
#include <vector>

#include "supervisor/base/bytes.h"
#include "supervisor/model/tail.h"
#include "supervisor/trace/track.h"

namespace raddle {

class EventCounts {
public:
    void learn(const Track& track);
    bool empty() const { return threads_.empty(); }
    // The objects that several threads use, one of them exclusively; in the order of their names.
    const std::vector<ObjectId>& objects() const { return contended_; }
    // The rows for an object, or for all events (Tail::everything).
    std::vector<ThreadWeight> weights(const ObjectId& interest) const;
    std::uint64_t longest() const { return longest_; }  // the most events of an execution

    void save(Writer& out) const;
    void load(Reader& in);

private:
    struct OfThread {
        std::uint32_t events = 0;
        std::uint64_t creator = no_creator;
        std::map<ObjectId, std::uint32_t> on_object;
    };
    static constexpr std::uint64_t no_creator = ~std::uint64_t{0};
    static constexpr std::size_t most_objects = 4096;

    std::map<std::uint64_t, OfThread> threads_;  // by code
    std::vector<std::uint64_t> order_;           // the codes; creators come first
    std::vector<ObjectId> contended_;
    std::uint64_t longest_ = 0;
};

// The interest of a draw with this seed: every other draw all events, otherwise one of the contended objects.
ObjectId interest_of_draw(const EventCounts& counts, std::uint64_t seed);

}  // namespace raddle
