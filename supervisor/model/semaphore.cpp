// Semaphores. count: the value.
#include "supervisor/model/kinds.h"

namespace raddle {

namespace {

constexpr std::uint32_t largest_value = 0x7fffffff;

std::uint32_t units_of(const MachineState& machine, ObjectSlot slot) {
    const ObjectRecord* semaphore = live_object(machine, slot, Kind::semaphore);
    return semaphore == nullptr ? 0 : semaphore->count;
}

void take(const ModelStep& step) {
    const bool has_units = units_of(step.machine, step.before.object) > 0;
    ObjectRecord& semaphore = step.object(Kind::semaphore);
    if (!has_units) return fail_with(step.outcome, error::again);
    --semaphore.count;
}

}  // namespace

void operations::sem_init(const ModelStep& step) {
    const std::int64_t first = step.before.pending.initial_count();
    if (first < 0 || first > largest_value) {
        report(step.outcome, Misuse::semaphore_negative);
        return fail_with(step.outcome, error::invalid);
    }
    initialise(step, Kind::semaphore, false);
    step.machine.change_object(step.before.object).count = static_cast<std::uint32_t>(first);
}

void operations::sem_destroy(const ModelStep& step) { destroy(step, Kind::semaphore, Misuse::none); }

std::uint32_t ways::sem_wait(const MachineState& machine, ThreadSlot thread) {
    const ObjectSlot slot = machine.thread(thread).object;
    const ObjectState state = machine.object(slot).state;
    if (state == ObjectState::destroyed || state == ObjectState::revived) return 1;  // it goes on, and is reported
    return units_of(machine, slot) > 0 ? 1 : 0;
}
void operations::sem_wait(const ModelStep& step) { take(step); }
void operations::sem_trywait(const ModelStep& step) { take(step); }

void operations::sem_post(const ModelStep& step) {
    const bool is_full = units_of(step.machine, step.before.object) == largest_value;
    ObjectRecord& semaphore = step.object(Kind::semaphore);
    if (is_full) {
        report(step.outcome, Misuse::semaphore_overflow);
        return fail_with(step.outcome, error::overflow);
    }
    ++semaphore.count;
}

// It stays within the largest value; and so would a post after it.
Guard guards::sem_post(const MachineState& machine, ThreadSlot thread) {
    const ObjectSlot slot = machine.thread(thread).object;
    const ObjectRecord& object = machine.object(slot);
    const bool is_usual =
        object.state == ObjectState::unknown || (object.state == ObjectState::live && object.kind == Kind::semaphore);
    const std::uint32_t units = units_of(machine, slot);
    if (!is_usual || units == largest_value) return Guard::fails;
    return units + 1 < largest_value ? Guard::holds : Guard::holds_for_one;
}

void operations::sem_getvalue(const ModelStep& step) { step.outcome.result = step.object(Kind::semaphore).count; }

}  // namespace raddle
