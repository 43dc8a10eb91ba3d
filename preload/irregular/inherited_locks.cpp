#include "preload/irregular/inherited_locks.h"

namespace raddle::inherited {

namespace {

constexpr std::uint32_t most = 256;
ObjectId held[most];
std::uint32_t count = 0;

}  // namespace

void note(const Machine& machine, ThreadSlot forker) {
    for (ObjectSlot slot = 0; slot < machine.object_count() && count < most; ++slot) {
        const ObjectRecord& object = machine.object(slot);
        if (object.kind != Kind::mutex || object.state != ObjectState::live) continue;
        if (object.owner != no_slot && object.owner != forker) held[count++] = object.id;
    }
}

bool blocks(const Action& action) {
    if (traits(action.operation).kind != Kind::mutex) return false;
    for (std::uint32_t i = 0; i < count; ++i) {
        if (!(held[i] == action.object)) continue;
        if (action.operation == Operation::mutex_lock) return (action.flags & flag::timed) == 0;
        if (action.operation == Operation::mutex_init || action.operation == Operation::mutex_unlock) held[i] = held[--count];
        return false;
    }
    return false;
}

}  // namespace raddle::inherited
