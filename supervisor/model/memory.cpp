// Shared variables with their values. The variables of a process lie in its memory: they had values before, and
// accesses have several widths. So an action tells the width, and the value that holds if the machine knows none
// (initial_value). After a write of an unknown value (flag::contents_unknown) the variable has no known value for the
// rest of the execution, and accesses to it say nothing about values: an initial value told later is from the time
// before. limit: so many of the lowest bytes are known; flag: its value is not known, and will not be.
#include "supervisor/model/kinds.h"
#include "supervisor/model/update.h"

namespace raddle {

namespace {

std::uint32_t known_bytes(const ObjectRecord& variable) {
    return variable.kind == Kind::memory && variable.state == ObjectState::live ? variable.limit : 0;
}

}  // namespace

bool knows_value(const ObjectRecord& variable, std::uint64_t bytes) { return bytes <= known_bytes(variable); }

std::uint64_t value_of(const ObjectRecord& variable, std::uint64_t bytes, std::uint64_t otherwise) {
    const std::uint64_t known = mask_of_bytes(known_bytes(variable));
    return ((static_cast<std::uint64_t>(variable.value) & known) | (otherwise & ~known)) & mask_of_bytes(bytes);
}

namespace {

// A synchronisation object whose memory is accessed directly is no variable, until it is destroyed.
bool is_synchronisation_object(const ObjectRecord& object) {
    return object.kind != Kind::memory && object.kind != Kind::none && object.state != ObjectState::destroyed;
}

bool has_no_known_value(const ObjectRecord& variable) {
    return variable.kind == Kind::memory && variable.state == ObjectState::live && variable.flag;
}

void forget_value(MachineState& machine, ObjectSlot slot, const Action& action) {
    const ObjectRecord& variable = machine.object(slot);
    if (action.operation == Operation::memory_read || is_synchronisation_object(variable) ||
        has_no_known_value(variable))
        return;
    machine.make_live(slot, Kind::memory, 0);
    machine.change_object(slot).flag = true;
}

bool replaces_value(const Action& action) { return (action.attributes & attribute::memory::replaces_value) != 0; }

// The value that the action would find, if it is known.
struct Found {
    bool is_known;
    std::uint64_t value;
};
Found found_by(const MachineState& machine, const ThreadRecord& thread) {
    const Action& action = thread.pending;
    const ObjectRecord& variable = machine.object(thread.object);
    if ((action.flags & flag::contents_unknown) != 0 || is_synchronisation_object(variable) ||
        has_no_known_value(variable))
        return {false, 0};
    const std::uint32_t bytes = width_of(action.attributes);
    if (replaces_value(action)) return {true, action.initial_value() & mask_of_bytes(bytes)};
    return {true, value_of(variable, bytes, action.initial_value())};
}

bool has_changed(const MachineState& machine, const VariableRead& read) {
    const ObjectRecord& variable = machine.object(read.object);
    return has_no_known_value(variable) || !knows_value(variable, read.bytes) ||
           value_of(variable, read.bytes, 0) != read.value;
}

std::uint32_t ways_to_access(const MachineState& machine, ThreadSlot slot) {
    const ThreadRecord& thread = machine.thread(slot);
    if ((thread.pending.flags & flag::spins) == 0) return 1;
    const Found found = found_by(machine, thread);
    return found.is_known && keeps_spinning(thread.pending, found.value) ? 0 : 1;
}

// The variable as the access finds it; null if the machine knows no value.
ObjectRecord* variable_of(const ModelStep& step) {
    MachineState& machine = step.machine;
    const Action& action = step.before.pending;
    const ObjectSlot slot = step.before.object;
    if ((action.flags & flag::contents_unknown) != 0) {
        forget_value(machine, slot, action);
        return nullptr;
    }
    if (is_synchronisation_object(machine.object(slot)) || has_no_known_value(machine.object(slot))) return nullptr;
    const std::uint32_t bytes = width_of(action.attributes);
    if (!knows_value(machine.object(slot), bytes) || replaces_value(action)) {
        const std::uint64_t mask = mask_of_bytes(bytes);
        const std::uint32_t known_before = known_bytes(machine.object(slot));
        const std::uint32_t known = known_before > bytes ? known_before : bytes;
        std::uint64_t value = value_of(machine.object(slot), known, action.initial_value());
        if (replaces_value(action)) value = (value & ~mask) | (action.initial_value() & mask);
        machine.make_live(slot, Kind::memory, 0);
        ObjectRecord& fresh = machine.change_object(slot);
        fresh.limit = known;
        fresh.value = static_cast<std::int64_t>(value);
    }
    return &machine.change_object(slot);
}

std::uint64_t value_for(const ModelStep& step, const ObjectRecord& variable) {
    return static_cast<std::uint64_t>(variable.value) & mask_of_bytes(width_of(step.before.pending.attributes));
}

void store(const ModelStep& step, ObjectRecord& variable, std::uint64_t value) {
    const std::uint64_t mask = mask_of_bytes(width_of(step.before.pending.attributes));
    const auto all = static_cast<std::uint64_t>(variable.value);
    variable.value = static_cast<std::int64_t>((all & ~mask) | (value & mask));
}

// The same for an access that reads: the value is its result, and the thread remembers it.
ObjectRecord* read_by(const ModelStep& step) {
    ObjectRecord* variable = variable_of(step);
    if (variable == nullptr) return nullptr;
    const std::uint64_t value = value_for(step, *variable);
    step.outcome.result = static_cast<std::int64_t>(value);
    step.machine.note_read(step.thread, {step.before.object, width_of(step.before.pending.attributes), value});
    return variable;
}

}  // namespace

std::uint32_t ways::memory_read(const MachineState& machine, ThreadSlot thread) {
    return ways_to_access(machine, thread);
}
void operations::memory_read(const ModelStep& step) { read_by(step); }

void operations::memory_write(const ModelStep& step) {
    ObjectRecord* variable = variable_of(step);
    if (variable == nullptr) return;
    step.outcome.result = static_cast<std::int64_t>(value_for(step, *variable));
    store(step, *variable, static_cast<std::uint64_t>(step.before.pending.value()));
}

std::uint32_t ways::memory_update(const MachineState& machine, ThreadSlot thread) {
    return ways_to_access(machine, thread);
}
void operations::memory_update(const ModelStep& step) {
    ObjectRecord* variable = read_by(step);
    if (variable == nullptr) return;
    const Action& action = step.before.pending;
    store(step, *variable,
          updated(action.update, value_for(step, *variable), static_cast<std::uint64_t>(action.value())));
}

std::uint32_t ways::memory_exchange(const MachineState& machine, ThreadSlot thread) {
    return ways_to_access(machine, thread);
}
void operations::memory_exchange(const ModelStep& step) {
    ObjectRecord* variable = read_by(step);
    if (variable == nullptr) return;
    const Action& action = step.before.pending;
    const std::uint64_t mask = mask_of_bytes(width_of(action.attributes));
    if (value_for(step, *variable) == (static_cast<std::uint64_t>(action.expected()) & mask))
        store(step, *variable, static_cast<std::uint64_t>(action.desired()));
    else
        step.outcome.effect = Effect::failed;
}

std::uint32_t ways::spin_wait(const MachineState& machine, ThreadSlot slot) {
    const ThreadRecord& thread = machine.thread(slot);
    const std::uint32_t awaited = reads_awaited(thread.pending);
    VariableRead reads[max_last_reads];
    const std::uint32_t count = machine.last_variables(slot, awaited, reads);
    for (std::uint32_t i = 0; i < count; ++i)
        if (has_changed(machine, reads[i])) return 1;
    return count < awaited || awaited == 0 ? 1 : 0;
}
void operations::spin_wait(const ModelStep&) {}

}  // namespace raddle
