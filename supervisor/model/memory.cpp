// Shared variables with their values. Those of a process lie in its memory, where other things may have been before
// and where accesses may be of several widths: their actions say how wide they are, and tell the value that holds if
// none is known. After a write whose value nobody can tell (flag::external) the variable has no known value any more, and
// accesses to it say nothing of values: what was told of it was meant for the time before.
#include "supervisor/model/kinds.h"

namespace raddle {

namespace {

constexpr std::uint64_t mask_of(std::uint64_t bytes) { return bytes >= 8 ? ~std::uint64_t{0} : (std::uint64_t{1} << bytes * 8) - 1; }

// So many of its lowest bytes are known.
std::uint32_t known_bytes(const ObjectRecord& variable) {
    return variable.kind == Kind::memory && variable.state == ObjectState::live ? variable.limit : 0;
}

}  // namespace

bool knows_value(const ObjectRecord& variable, std::uint64_t bytes) { return bytes <= known_bytes(variable); }

std::uint64_t value_of(const ObjectRecord& variable, std::uint64_t bytes, std::uint64_t otherwise) {
    const std::uint64_t known = mask_of(known_bytes(variable));
    return ((static_cast<std::uint64_t>(variable.value) & known) | (otherwise & ~known)) & mask_of(bytes);
}

namespace memories {

namespace {

std::uint64_t updated(Update update, std::uint64_t a, std::uint64_t b) {
    switch (update) {
        case Update::add: return a + b;
        case Update::exchange: return b;
        case Update::bit_and: return a & b;
        case Update::bit_or: return a | b;
        case Update::bit_xor: return a ^ b;
    }
    return a;
}

// In place of a synchronisation object whose memory is accessed as such: no business of the variable.
// Until it was destroyed: then its memory may become a variable.
bool is_synchronisation_object(const ObjectRecord& object) {
    return object.kind != Kind::memory && object.kind != Kind::none && object.state != ObjectState::destroyed;
}

// `flag`: of a variable whose value is not known, nor will be.
bool has_no_known_value(const ObjectRecord& variable) {
    return variable.kind == Kind::memory && variable.state == ObjectState::live && variable.flag;
}

void forget_value(Machine& machine, ObjectSlot slot, const Action& action) {
    const ObjectRecord& variable = machine.object(slot);
    if (action.operation == Operation::memory_read || is_synchronisation_object(variable) || has_no_known_value(variable)) return;
    machine.make_live(slot, Kind::memory, 0);
    machine.change_object(slot).flag = true;
}

}  // namespace

namespace {

std::uint64_t initial_value_of(const Action& action) { return (action.flags & flag::has_initial_value) != 0 ? action.timeout : 0; }

// What the action would find, as far as that is known.
struct Found {
    bool is_known;
    std::uint64_t value;
};
Found found_by(const Machine& machine, const ThreadRecord& thread) {
    const Action& action = thread.pending;
    const ObjectRecord& variable = machine.object(thread.object);
    if ((action.flags & flag::external) != 0 || is_synchronisation_object(variable) || has_no_known_value(variable)) return {false, 0};
    const std::uint32_t bytes = width_of(action.attributes);
    if ((action.attributes & attribute::corrected) != 0) return {true, initial_value_of(action) & mask_of(bytes)};
    return {true, value_of(variable, bytes, initial_value_of(action))};
}

bool has_changed(const Machine& machine, const VariableRead& read) {
    if (read.object == no_slot) return true;
    const ObjectRecord& variable = machine.object(read.object);
    return has_no_known_value(variable) || !knows_value(variable, read.bytes) || value_of(variable, read.bytes, 0) != read.value;
}

// The variable goes to the front of what the thread read.
void remember_read(ThreadRecord& thread, const VariableRead& read) {
    std::uint32_t at = 0;
    while (at + 1 < max_last_reads && thread.last_reads[at].object != read.object) ++at;
    for (; at > 0; --at) thread.last_reads[at] = thread.last_reads[at - 1];
    thread.last_reads[0] = read;
}

}  // namespace

std::uint32_t regular(const Machine& machine, ThreadSlot slot) {
    const ThreadRecord& thread = machine.thread(slot);
    if (thread.pending.operation == Operation::spin_wait) {
        for (std::uint32_t i = 0; i < reads_awaited(thread.pending); ++i)
            if (has_changed(machine, thread.last_reads[i])) return 1;
        return reads_awaited(thread.pending) == 0 ? 1 : 0;
    }
    if ((thread.pending.flags & flag::spins) == 0) return 1;
    const Found found = found_by(machine, thread);
    return found.is_known && keeps_spinning(thread.pending, found.value) ? 0 : 1;
}

void apply(Machine& machine, ThreadSlot thread, const ThreadRecord& before, std::uint32_t, ActionOutcome& outcome) {
    const Action& action = before.pending;
    if (action.operation == Operation::spin_wait) return;
    const ObjectSlot slot = before.object;
    if ((action.flags & flag::external) != 0) return forget_value(machine, slot, action);
    if (is_synchronisation_object(machine.object(slot)) || has_no_known_value(machine.object(slot))) return;
    const std::uint32_t bytes = width_of(action.attributes);
    const std::uint64_t mask = mask_of(bytes);
    const bool is_corrected = (action.attributes & attribute::corrected) != 0;
    if (!knows_value(machine.object(slot), bytes) || is_corrected) {
        const std::uint32_t before_it = known_bytes(machine.object(slot));
        const std::uint32_t known = before_it > bytes ? before_it : bytes;
        std::uint64_t begins = value_of(machine.object(slot), known, initial_value_of(action));
        if (is_corrected) begins = (begins & ~mask) | (initial_value_of(action) & mask);
        machine.make_live(slot, Kind::memory, 0);
        ObjectRecord& fresh = machine.change_object(slot);
        fresh.limit = known;
        fresh.value = static_cast<std::int64_t>(begins);
    }
    ObjectRecord& variable = machine.change_object(slot);
    const auto all = static_cast<std::uint64_t>(variable.value);
    const std::uint64_t value = all & mask;
    const auto set = [&](std::uint64_t to) { variable.value = static_cast<std::int64_t>((all & ~mask) | (to & mask)); };
    outcome.result = static_cast<std::int64_t>(value);
    if (action.operation != Operation::memory_write) remember_read(machine.change(thread), {slot, bytes, value});
    switch (action.operation) {
        case Operation::memory_write: return set(static_cast<std::uint64_t>(action.argument));
        case Operation::memory_update: return set(updated(action.update, value, static_cast<std::uint64_t>(action.argument)));
        case Operation::memory_exchange:
            if (value == (static_cast<std::uint64_t>(action.argument) & mask))
                set(static_cast<std::uint64_t>(action.argument2));
            else
                outcome.effect = Effect::failed;
            return;
        default: return;
    }
}

}  // namespace memories

}  // namespace raddle
