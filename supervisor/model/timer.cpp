// Operations without an object: yield and sleep, which only time out; reading the clock; a free choice among n values.
#include "supervisor/model/kinds.h"

namespace raddle {

void operations::yield(const ModelStep&) {}
void operations::sleep(const ModelStep&) {}

void operations::clock_read(const ModelStep& step) {
    step.outcome.result = static_cast<std::int64_t>(step.before.time);
}

std::uint32_t ways::choose(const MachineState& machine, ThreadSlot thread) {
    const std::int64_t choices = machine.thread(thread).pending.choices();
    return choices < 1 ? 1 : static_cast<std::uint32_t>(choices);
}
void operations::choose(const ModelStep& step) { step.outcome.result = step.value; }

}  // namespace raddle
