// A hash of an execution's happens-before graph. Two orders of the same events have the same hash if they differ only
// in commuting events. The hash is the XOR over all events. An event contributes its action and its position at each
// object it uses: the number of earlier groups of uses that commute (Track), and, for an exclusive use, the size of the
// last.
#pragma once

#include <cstdint>
#include <vector>

#include "supervisor/trace/track.h"

namespace raddle {

class GraphHash {
public:
    void reset();
    // Adds the next event of a track; the machine knows the names of its objects.
    void add(const Machine& machine, const TrackEvent& event);
    Hash128 value() const { return value_; }

private:
    struct UseCounts {
        std::uint32_t groups = 0;
        std::uint32_t in_group = 0;
        Mode mode = Mode::none;
    };

    std::vector<UseCounts> objects_;  // by slot
    Hash128 value_{};
};

}  // namespace raddle
