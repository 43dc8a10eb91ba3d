// Descriptors that threads wait on: pipes, sockets, eventfds.
// count: bytes to read; limit: room to write; flag: it was closed, so reads and writes end at once; tickets: its
// capacity, the room after everything was read.
//
// If all ends are in this process the amounts are exact. If the operating system reports other amounts, the shim
// corrects them by an event: a descriptor_open that `adjusts`. The amounts of a descriptor that other processes use too
// are unknown (flag::contents_unknown, or an object that became `external`). The shim watches the real descriptor and
// calls set_descriptor. Without that, as in the supervisor, the descriptor counts as ready: a plan that goes there
// means to wait for it. waiters: 1 if set_descriptor was called.
//
// A wait for one of many (poll, select, epoll) reads the table of descriptors. The count of the table is a version, and
// every change of an amount increments it.
#include "supervisor/model/kinds.h"

namespace raddle {

namespace {

namespace bits = attribute::descriptor;

std::uint32_t at_most(std::int64_t wanted, std::uint32_t available) {
    return wanted < 0 || wanted > available ? available : static_cast<std::uint32_t>(wanted);
}

std::uint32_t added(std::uint32_t amount, std::int64_t more) {
    constexpr std::int64_t most = 0x7fffffff;
    const std::int64_t sum = amount + (more < -most ? -most : more > most ? most : more);
    return sum < 0 ? 0 : static_cast<std::uint32_t>(sum > most ? most : sum);
}

bool has_unknown_amounts(const ObjectRecord* descriptor, const Action& action) {
    return (action.flags & flag::contents_unknown) != 0 ||
           (descriptor != nullptr && (descriptor->attributes & bits::external) != 0);
}

bool is_watched(const ObjectRecord* descriptor) { return descriptor != nullptr && descriptor->waiters != 0; }

bool has_enough(const ObjectRecord* descriptor, const Action& action) {
    if (descriptor == nullptr) return false;
    if (descriptor->flag) return true;
    if (action.operation == Operation::descriptor_read) return descriptor->count > 0;
    if ((action.attributes & bits::whole) != 0) return descriptor->limit >= action.amount();
    return descriptor->limit > 0;
}

void raise_version(MachineState& machine, ObjectSlot table) {
    if (table != no_slot && machine.object(table).id.space() == Space::descriptors)
        ++machine.change_object(table).count;
}

std::uint32_t ways_to_transfer(const MachineState& machine, ThreadSlot thread) {
    const ThreadRecord& record = machine.thread(thread);
    const Action& action = record.pending;
    if ((action.flags & flag::nonblocking) != 0) return 1;
    const ObjectRecord* descriptor = live_object(machine, record.object, Kind::descriptor);
    if (!has_unknown_amounts(descriptor, action)) return has_enough(descriptor, action) ? 1 : 0;
    const bool is_read = action.operation == Operation::descriptor_read;
    return !is_watched(descriptor) || (is_read ? descriptor->count : descriptor->limit) > 0 ? 1 : 0;
}

void transfer(const ModelStep& step) {
    const Action& action = step.before.pending;
    const bool is_unknown =
        has_unknown_amounts(live_object(step.machine, step.before.object, Kind::descriptor), action);
    ObjectRecord& descriptor = step.object(Kind::descriptor);
    const bool is_read = action.operation == Operation::descriptor_read;
    const std::uint32_t amount = at_most(action.amount(), is_read ? descriptor.count : descriptor.limit);
    if (is_unknown) {
        const bool waits = (action.flags & flag::contents_unknown) != 0 && (action.flags & flag::nonblocking) == 0;
        if (waits && is_watched(&descriptor)) step.outcome.result = amount;
        return raise_version(step.machine, step.before.second);
    }
    if (!has_enough(&descriptor, action)) return fail_with(step.outcome, error::again);
    step.outcome.result = amount;
    descriptor.count = is_read ? descriptor.count - amount : added(descriptor.count, amount);
    descriptor.limit = is_read ? added(descriptor.limit, amount) : descriptor.limit - amount;
    if (is_read && amount > 0 && descriptor.count == 0) descriptor.limit = descriptor.tickets;
    raise_version(step.machine, step.before.second);
}

}  // namespace

void operations::descriptor_open(const ModelStep& step) {
    MachineState& machine = step.machine;
    const Action& action = step.before.pending;
    if (action.object.space() == Space::descriptors) return;  // a number is given out
    const ObjectRecord* known = live_object(machine, step.before.object, Kind::descriptor);
    if ((action.attributes & (bits::adjusts | bits::external)) == 0 || known == nullptr) {
        machine.make_live(step.before.object, Kind::descriptor, action.attributes & bits::external);
        ObjectRecord& descriptor = machine.change_object(step.before.object);
        descriptor.limit = added(0, action.writable());
        descriptor.count = added(0, action.readable());
        descriptor.tickets = added(descriptor.limit, descriptor.count);
        return;
    }
    ObjectRecord& descriptor = machine.change_object(step.before.object);
    descriptor.attributes |= action.attributes & bits::external;
    descriptor.limit = added(descriptor.limit, action.writable());
    descriptor.count = added(descriptor.count, action.readable());
    if ((action.attributes & bits::whole) != 0) descriptor.tickets = added(descriptor.tickets, action.writable());
}

void operations::descriptor_close(const ModelStep& step) {
    if (step.machine.object(step.before.object).id.space() != Space::descriptors)
        step.object(Kind::descriptor).flag = true;
    raise_version(step.machine, step.before.second);
}

std::uint32_t ways::descriptor_read(const MachineState& machine, ThreadSlot thread) {
    return ways_to_transfer(machine, thread);
}
void operations::descriptor_read(const ModelStep& step) { transfer(step); }

std::uint32_t ways::descriptor_write(const MachineState& machine, ThreadSlot thread) {
    return ways_to_transfer(machine, thread);
}
void operations::descriptor_write(const ModelStep& step) { transfer(step); }

std::uint32_t ways::descriptor_wait(const MachineState& machine, ThreadSlot thread) {
    const ThreadRecord& record = machine.thread(thread);
    const Action& action = record.pending;
    if ((action.flags & flag::nonblocking) != 0 || machine.object(record.object).count != action.version()) return 1;
    if ((action.flags & flag::contents_unknown) == 0) return 0;
    const ObjectRecord* own = live_object(machine, record.second, Kind::descriptor);
    return !is_watched(own) || own->count > 0 ? 1 : 0;
}
void operations::descriptor_wait(const ModelStep& step) {
    step.outcome.result = step.machine.object(step.before.object).count;
}

}  // namespace raddle
