// What concerns no object: yielding, sleeping (both only lapse), looking at the clock, and free choices among n values.
#include "supervisor/model/kinds.h"

namespace raddle::timers {

std::uint32_t regular(const Machine& machine, ThreadSlot thread) {
    const Action& action = machine.thread(thread).pending;
    if (action.operation == Operation::clock_read) return 1;
    if (action.operation != Operation::choose) return 0;
    return action.argument < 1 ? 1 : static_cast<std::uint32_t>(action.argument);
}

void apply(Machine&, ThreadSlot, const ThreadRecord& before, std::uint32_t value, ActionOutcome& outcome) {
    const bool looks = before.pending.operation == Operation::clock_read;
    outcome.result = looks ? static_cast<std::int64_t>(before.time) : value;
}

}  // namespace raddle::timers
