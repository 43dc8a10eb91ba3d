// Events of a recorded execution that are taken again, in another order.
#pragma once

#include "supervisor/search/event_facts.h"

namespace raddle {

// Its result is the value before, or the time: its thread does not learn it.
constexpr bool sees_no_result(const Action& action) {
    return action.operation == Operation::memory_write || action.operation == Operation::clock_read;
}
// It reads a variable whose value the machine does not know. It reads the same as before if it reads the same write.
constexpr bool reads_unseen(const Action& action) {
    const MemoryAccess access = traits(action.operation).access;
    return (action.flags & flag::contents_unknown) != 0 &&
           (access == MemoryAccess::reads || access == MemoryAccess::updates);
}
// It took effect as it did before, as far as its thread learns it from the machine (see reads_unseen).
bool is_outcome_of(const TrackEvent& recorded, const ActionOutcome& here);
// The recorded result tells how much there was to read or write: the machine cannot know it before.
void set_recorded_amount(Machine& machine, ThreadSlot slot, const TrackEvent& recorded);

}  // namespace raddle
