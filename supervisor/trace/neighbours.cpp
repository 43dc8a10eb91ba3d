#include "supervisor/trace/neighbours.h"

namespace raddle {

bool has_neighbours_to_swap(const Track& track) {
    if (track.size() < 2) return false;
    const TrackEvent& late = track[track.size() - 1];
    const TrackEvent& early = track[track.size() - 2];
    const Machine& machine = track.machine();
    if (!(machine.thread(late.thread).id < machine.thread(early.thread).id)) return false;
    if (late.outcome.enabler == EventName{early.thread, early.number}) return false;
    for (std::uint8_t i = 0; i < early.outcome.use_count; ++i)
        for (std::uint8_t j = 0; j < late.outcome.use_count; ++j)
            if (depend(early.outcome.uses[i], late.outcome.uses[j])) return false;
    return true;
}

}  // namespace raddle
