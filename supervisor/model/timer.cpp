// What concerns no object: yielding, sleeping (both only lapse), and free choices among n values.
#include "supervisor/model/kinds.h"

namespace raddle::timers {

std::uint32_t regular(const Machine& machine, ThreadSlot thread) {
    const Action& action = machine.thread(thread).pending;
    if (action.operation != Operation::choose) return 0;
    return action.argument < 1 ? 1 : static_cast<std::uint32_t>(action.argument);
}

void apply(Machine&, ThreadSlot, const ThreadRecord&, std::uint32_t value, Outcome& outcome) { outcome.result = value; }

}  // namespace raddle::timers
