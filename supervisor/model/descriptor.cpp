// Descriptors that threads wait on: pipes, sockets, eventfds. count: what can be read; limit: what can be written;
// flag: it was closed, so that reading and writing end at once. tickets: what can be written when all was read.
//
// Where all ends are in this process the amounts are exact. Where the operating system thought otherwise, the shim
// says so by an event (a descriptor_open that is `corrected`): so the machine never has to be told by anybody.
// What others use too (flag::external, or an object that became `outside`) has no amounts: the shim watches the real
// one and tells the machine, set_descriptor; where nobody tells, as in the supervisor, it is taken to be ready, for
// that a plan goes there means that it is to be waited for. waiters: 1 if somebody tells.
//
// A wait for one of many (poll, select, epoll) looks at the table of descriptors: its count is a version, raised by
// all that changes what can be read or written. argument: the version seen last, or -1.
#include "supervisor/model/kinds.h"

namespace raddle::descriptors {

namespace {

std::uint32_t at_most(std::int64_t wanted, std::uint32_t available) {
    return wanted < 0 || wanted > available ? available : static_cast<std::uint32_t>(wanted);
}

std::uint32_t added(std::uint32_t amount, std::int64_t more) {
    constexpr std::int64_t most = 0x7fffffff;
    const std::int64_t sum = amount + (more < -most ? -most : more > most ? most : more);
    return sum < 0 ? 0 : static_cast<std::uint32_t>(sum > most ? most : sum);
}

bool is_external(const ObjectRecord* descriptor, const Action& action) {
    return (action.flags & flag::external) != 0 ||
           (descriptor != nullptr && (descriptor->attributes & attribute::external) != 0);
}

bool is_watched(const ObjectRecord* descriptor) { return descriptor != nullptr && descriptor->waiters != 0; }

bool has_enough(const ObjectRecord* descriptor, const Action& action) {
    if (descriptor == nullptr) return false;
    if (descriptor->flag) return true;
    if (action.operation == Operation::descriptor_read) return descriptor->count > 0;
    if ((action.attributes & attribute::whole) != 0) return descriptor->limit >= action.argument;
    return descriptor->limit > 0;
}

void raise_version(Machine& machine, ObjectSlot table) {
    if (table != no_slot && machine.object(table).id.space() == Space::descriptors) ++machine.change_object(table).count;
}

void open(Machine& machine, const ThreadRecord& before) {
    const Action& action = before.pending;
    if (action.object.space() == Space::descriptors) return;  // a number is given out
    const ObjectRecord* known = live_object(machine, before.object, Kind::descriptor);
    if ((action.attributes & (attribute::corrected | attribute::external)) == 0 || known == nullptr) {
        machine.make_live(before.object, Kind::descriptor, action.attributes & attribute::external);
        ObjectRecord& descriptor = machine.change_object(before.object);
        descriptor.limit = added(0, action.argument);
        descriptor.count = added(0, action.argument2);
        descriptor.tickets = added(descriptor.limit, descriptor.count);
        return;
    }
    ObjectRecord& descriptor = machine.change_object(before.object);
    descriptor.attributes |= action.attributes & attribute::external;
    descriptor.limit = added(descriptor.limit, action.argument);
    descriptor.count = added(descriptor.count, action.argument2);
    if ((action.attributes & attribute::whole) != 0) descriptor.tickets = added(descriptor.tickets, action.argument);
}

void transfer(Machine& machine, ThreadSlot thread, const ThreadRecord& before, ActionOutcome& outcome) {
    const Action& action = before.pending;
    const bool external = is_external(live_object(machine, before.object, Kind::descriptor), action);
    ObjectRecord& descriptor = machine.use_object(thread, before.object, Kind::descriptor, outcome);
    const bool reading = action.operation == Operation::descriptor_read;
    const std::uint32_t amount = at_most(action.argument, reading ? descriptor.count : descriptor.limit);
    if (external) {
        const bool told = (action.flags & flag::external) != 0 && (action.flags & flag::nonblocking) == 0;
        if (told && is_watched(&descriptor)) outcome.result = amount;
        return raise_version(machine, before.second);
    }
    if (!has_enough(&descriptor, action)) return fail_with(outcome, error::again);
    outcome.result = amount;
    descriptor.count = reading ? descriptor.count - amount : added(descriptor.count, amount);
    descriptor.limit = reading ? added(descriptor.limit, amount) : descriptor.limit - amount;
    if (reading && amount > 0 && descriptor.count == 0) descriptor.limit = descriptor.tickets;
    raise_version(machine, before.second);
}

}  // namespace

std::uint32_t regular(const Machine& machine, ThreadSlot thread) {
    const ThreadRecord& record = machine.thread(thread);
    const Action& action = record.pending;
    if ((action.flags & flag::nonblocking) != 0) return 1;
    switch (action.operation) {
        case Operation::descriptor_wait: {
            if (machine.object(record.object).count != action.argument) return 1;
            if ((action.flags & flag::external) == 0) return 0;
            const ObjectRecord* own = live_object(machine, record.second, Kind::descriptor);
            return !is_watched(own) || own->count > 0 ? 1 : 0;
        }
        case Operation::descriptor_read:
        case Operation::descriptor_write: {
            const ObjectRecord* descriptor = live_object(machine, record.object, Kind::descriptor);
            if (is_external(descriptor, action)) {
                const bool reading = action.operation == Operation::descriptor_read;
                return !is_watched(descriptor) || (reading ? descriptor->count : descriptor->limit) > 0 ? 1 : 0;
            }
            return has_enough(descriptor, action) ? 1 : 0;
        }
        default: return 1;
    }
}

void apply(Machine& machine, ThreadSlot thread, const ThreadRecord& before, std::uint32_t, ActionOutcome& outcome) {
    switch (before.pending.operation) {
        case Operation::descriptor_open: return open(machine, before);
        case Operation::descriptor_close:
            if (machine.object(before.object).id.space() != Space::descriptors)
                machine.use_object(thread, before.object, Kind::descriptor, outcome).flag = true;
            return raise_version(machine, before.second);
        case Operation::descriptor_wait:
            outcome.result = machine.object(before.object).count;
            return;
        default: return transfer(machine, thread, before, outcome);
    }
}

}  // namespace raddle::descriptors
