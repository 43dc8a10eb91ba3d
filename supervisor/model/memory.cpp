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

std::uint64_t value_of(const ObjectRecord& variable, std::uint64_t bytes, std::uint64_t told) {
    const std::uint64_t known = mask_of(known_bytes(variable));
    return ((static_cast<std::uint64_t>(variable.value) & known) | (told & ~known)) & mask_of(bytes);
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
bool is_something_else(const ObjectRecord& object) {
    return object.kind != Kind::memory && object.kind != Kind::none && object.state != ObjectState::destroyed;
}

// `flag`: of a variable whose value is not known, nor will be.
bool is_obscure(const ObjectRecord& variable) {
    return variable.kind == Kind::memory && variable.state == ObjectState::live && variable.flag;
}

void obscure(Machine& machine, ObjectSlot slot, const Action& action) {
    const ObjectRecord& variable = machine.object(slot);
    if (action.operation == Operation::memory_read || is_something_else(variable) || is_obscure(variable)) return;
    machine.begin(slot, Kind::memory, 0);
    machine.change_object(slot).flag = true;
}

}  // namespace

namespace {

std::uint64_t told_by(const Action& action) { return (action.flags & flag::told) != 0 ? action.timeout : 0; }

// What the action would find, as far as that is known.
struct Found {
    bool is_known;
    std::uint64_t value;
};
Found found_by(const Machine& machine, const ThreadRecord& thread) {
    const Action& action = thread.pending;
    const ObjectRecord& variable = machine.object(thread.object);
    if ((action.flags & flag::external) != 0 || is_something_else(variable) || is_obscure(variable)) return {false, 0};
    const std::uint32_t bytes = width_of(action.attributes);
    if ((action.attributes & attribute::corrected) != 0) return {true, told_by(action) & mask_of(bytes)};
    return {true, value_of(variable, bytes, told_by(action))};
}

bool has_changed(const Machine& machine, const Look& look) {
    if (look.object == no_slot) return true;
    const ObjectRecord& variable = machine.object(look.object);
    return is_obscure(variable) || !knows_value(variable, look.bytes) || value_of(variable, look.bytes, 0) != look.value;
}

// The variable goes to the front of what the thread read.
void note_look(ThreadRecord& thread, const Look& look) {
    std::uint32_t at = 0;
    while (at + 1 < most_looks && thread.looks[at].object != look.object) ++at;
    for (; at > 0; --at) thread.looks[at] = thread.looks[at - 1];
    thread.looks[0] = look;
}

}  // namespace

std::uint32_t regular(const Machine& machine, ThreadSlot slot) {
    const ThreadRecord& thread = machine.thread(slot);
    if (thread.pending.operation == Operation::spin_wait) {
        for (std::uint32_t i = 0; i < looks_of(thread.pending); ++i)
            if (has_changed(machine, thread.looks[i])) return 1;
        return looks_of(thread.pending) == 0 ? 1 : 0;
    }
    if ((thread.pending.flags & flag::spins) == 0) return 1;
    const Found found = found_by(machine, thread);
    return found.is_known && is_futile(thread.pending, found.value) ? 0 : 1;
}

void apply(Machine& machine, ThreadSlot thread, const ThreadRecord& before, std::uint32_t, Outcome& outcome) {
    const Action& action = before.pending;
    if (action.operation == Operation::spin_wait) return;
    const ObjectSlot slot = before.object;
    if ((action.flags & flag::external) != 0) return obscure(machine, slot, action);
    if (is_something_else(machine.object(slot)) || is_obscure(machine.object(slot))) return;
    const std::uint32_t bytes = width_of(action.attributes);
    const std::uint64_t mask = mask_of(bytes);
    const bool is_corrected = (action.attributes & attribute::corrected) != 0;
    if (!knows_value(machine.object(slot), bytes) || is_corrected) {
        const std::uint32_t before_it = known_bytes(machine.object(slot));
        const std::uint32_t known = before_it > bytes ? before_it : bytes;
        std::uint64_t begins = value_of(machine.object(slot), known, told_by(action));
        if (is_corrected) begins = (begins & ~mask) | (told_by(action) & mask);
        machine.begin(slot, Kind::memory, 0);
        ObjectRecord& fresh = machine.change_object(slot);
        fresh.limit = known;
        fresh.value = static_cast<std::int64_t>(begins);
    }
    ObjectRecord& variable = machine.change_object(slot);
    const auto all = static_cast<std::uint64_t>(variable.value);
    const std::uint64_t value = all & mask;
    const auto set = [&](std::uint64_t to) { variable.value = static_cast<std::int64_t>((all & ~mask) | (to & mask)); };
    outcome.result = static_cast<std::int64_t>(value);
    if (action.operation != Operation::memory_write) note_look(machine.change(thread), {slot, bytes, value});
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
