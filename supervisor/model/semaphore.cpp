// Semaphores. count: the value.
#include "supervisor/model/kinds.h"

namespace raddle::semaphores {

namespace {
constexpr std::uint32_t largest_value = 0x7fffffff;

std::uint32_t value_of(const Machine& machine, ObjectSlot slot) {
    const ObjectRecord* semaphore = live_object(machine, slot, Kind::semaphore);
    return semaphore == nullptr ? 0 : semaphore->count;
}
}  // namespace

std::uint32_t regular(const Machine& machine, ThreadSlot thread) {
    const ThreadRecord& record = machine.thread(thread);
    if (record.pending.operation != Operation::sem_wait) return 1;
    const ObjectState state = machine.object(record.object).state;
    if (state == ObjectState::destroyed || state == ObjectState::revived) return 1;  // to be told so
    return value_of(machine, record.object) > 0 ? 1 : 0;
}

void apply(Machine& machine, ThreadSlot thread, const ThreadRecord& before, std::uint32_t, ActionOutcome& outcome) {
    const std::uint32_t value = value_of(machine, before.object);
    switch (before.pending.operation) {
        case Operation::sem_init: {
            const std::int64_t first = before.pending.argument;
            if (first < 0 || first > largest_value) {
                report(outcome, Misuse::semaphore_negative);
                return fail_with(outcome, error::invalid);
            }
            initialise(machine, before.object, Kind::semaphore, before.pending, false, outcome);
            machine.change_object(before.object).count = static_cast<std::uint32_t>(first);
            return;
        }
        case Operation::sem_destroy:
            return destroy(machine, thread, before.object, Kind::semaphore, Misuse::none, outcome);
        case Operation::sem_post: {
            ObjectRecord& semaphore = machine.use_object(thread, before.object, Kind::semaphore, outcome);
            if (value == largest_value) {
                report(outcome, Misuse::semaphore_overflow);
                return fail_with(outcome, error::overflow);
            }
            ++semaphore.count;
            return;
        }
        case Operation::sem_getvalue:
            outcome.result = machine.use_object(thread, before.object, Kind::semaphore, outcome).count;
            return;
        default: {
            ObjectRecord& semaphore = machine.use_object(thread, before.object, Kind::semaphore, outcome);
            if (value == 0) return fail_with(outcome, error::again);
            --semaphore.count;
        }
    }
}

}  // namespace raddle::semaphores
