// Shared variables with their values. A value the machine does not know (flag::external) is neither read nor kept.
#include "supervisor/model/kinds.h"

namespace raddle::memories {

namespace {
std::int64_t updated(Update update, std::int64_t value, std::int64_t operand) {
    const auto a = static_cast<std::uint64_t>(value), b = static_cast<std::uint64_t>(operand);
    switch (update) {
        case Update::add: return static_cast<std::int64_t>(a + b);
        case Update::exchange: return operand;
        case Update::bit_and: return static_cast<std::int64_t>(a & b);
        case Update::bit_or: return static_cast<std::int64_t>(a | b);
        case Update::bit_xor: return static_cast<std::int64_t>(a ^ b);
    }
    return value;
}
}  // namespace

std::uint32_t regular(const Machine&, ThreadSlot) { return 1; }

void apply(Machine& machine, ThreadSlot thread, const ThreadRecord& before, std::uint32_t, Outcome& outcome) {
    const Action& action = before.pending;
    if ((action.flags & flag::external) != 0) return;
    ObjectRecord& variable = machine.use(thread, before.object, Kind::memory, outcome);
    outcome.result = variable.value;
    switch (action.operation) {
        case Operation::memory_write: variable.value = action.argument; return;
        case Operation::memory_update:
            variable.value = updated(action.update, variable.value, action.argument);
            return;
        case Operation::memory_exchange:
            if (variable.value == action.argument)
                variable.value = action.argument2;
            else
                outcome.effect = Effect::failed;
            return;
        default: return;
    }
}

}  // namespace raddle::memories
