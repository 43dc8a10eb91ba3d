// Descriptors that threads wait on: pipes, sockets, eventfds. count: what can be read; limit: what can be written;
// flag: it was closed, so that reading ends at once. With flag::external the amounts are the outside world's, told by
// Machine::set_descriptor, and an action leaves them alone.
#include "supervisor/model/kinds.h"

namespace raddle::descriptors {

namespace {
std::uint32_t at_most(std::int64_t wanted, std::uint32_t available) {
    return wanted < 0 || wanted > available ? available : static_cast<std::uint32_t>(wanted);
}
}  // namespace

std::uint32_t regular(const Machine& machine, ThreadSlot thread) {
    const ThreadRecord& record = machine.thread(thread);
    if ((record.pending.flags & flag::nonblocking) != 0) return 1;
    const ObjectRecord* descriptor = live(machine, record.object, Kind::descriptor);
    switch (record.pending.operation) {
        case Operation::descriptor_read:
            return descriptor != nullptr && (descriptor->count > 0 || descriptor->flag) ? 1 : 0;
        case Operation::descriptor_write:
            return descriptor != nullptr && (descriptor->limit > 0 || descriptor->flag) ? 1 : 0;
        default: return 1;
    }
}

void apply(Machine& machine, ThreadSlot thread, const ThreadRecord& before, std::uint32_t, Outcome& outcome) {
    const Action& action = before.pending;
    if (action.operation == Operation::descriptor_open) {
        machine.begin(before.object, Kind::descriptor, 0);
        machine.change_object(before.object).limit = static_cast<std::uint32_t>(action.argument);
        return;
    }
    ObjectRecord& descriptor = machine.use(thread, before.object, Kind::descriptor, outcome);
    if (action.operation == Operation::descriptor_close) {
        descriptor.flag = true;
        return;
    }
    const bool reading = action.operation == Operation::descriptor_read;
    const std::uint32_t amount = at_most(action.argument, reading ? descriptor.count : descriptor.limit);
    if (amount == 0 && !descriptor.flag) return refuse(outcome, error::again);
    outcome.result = amount;
    if ((action.flags & flag::external) != 0) return;
    descriptor.count = reading ? descriptor.count - amount : descriptor.count + amount;
    descriptor.limit = reading ? descriptor.limit + amount : descriptor.limit - amount;
}

}  // namespace raddle::descriptors
