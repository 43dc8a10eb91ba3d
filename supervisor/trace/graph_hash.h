// The name of an execution's happens-before graph: the same for all orders of its events that differ only in what
// commutes. The XOR over its events of a hash of what each did and where it stands: after how many exclusive accesses
// of each object it touched, and for an exclusive access itself, after how many shared ones since.
#pragma once

#include <cstdint>
#include <vector>

#include "supervisor/trace/track.h"

namespace raddle {

class GraphHash {
public:
    void reset();
    // The next event of a track; the machine has the names of what it touched.
    void add(const Machine& machine, const TrackEvent& event);
    Hash128 value() const { return value_; }

private:
    struct Accesses {
        std::uint32_t exclusive = 0;
        std::uint32_t shared_since = 0;
    };

    std::vector<Accesses> objects_;  // by slot
    Hash128 value_{};
};

}  // namespace raddle
