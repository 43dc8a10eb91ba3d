// A forked child has one thread, and mutexes that the parent's other threads held: nobody will ever release those in
// the child. The scheduler calls the functions of namespace `inherited` (preload/schedule/callbacks.h).
//
// If the parent had other threads, the child's first use of a mutex is noted as an external event: whether they held it
// depends on when the fork came, and no action of the schedule decides that.
#include "preload/schedule/scheduler.h"

namespace raddle::inherited {

namespace {

constexpr std::uint32_t most = 256;
ObjectId held[most];
std::uint32_t count = 0;
bool had_siblings = false;
ObjectId own[most];  // held by the forking thread, or initialised since: no other thread can hold these
std::uint32_t own_count = 0;

// Locks that the forking thread held and still holds in the child.
struct Taking {
    ObjectId lock;
    Operation operation;
    std::uint8_t attributes;
    std::uint32_t times;
};
Taking takings[most];
std::uint32_t taking_count = 0;

void note_own(ObjectId mutex) {
    if (own_count < most) own[own_count++] = mutex;
}

bool is_own(ObjectId mutex) {
    for (std::uint32_t i = 0; i < own_count; ++i)
        if (own[i] == mutex) return true;
    return false;
}

}  // namespace

void note(const Machine& machine, ThreadSlot forker) {
    for (ThreadSlot slot = 0; slot < machine.thread_count(); ++slot)
        had_siblings |= slot != forker && machine.thread(slot).life == Life::announced;
    for (ObjectSlot slot = 0; slot < machine.object_count() && count < most; ++slot) {
        const ObjectRecord& object = machine.object(slot);
        if (object.state != ObjectState::live) continue;
        const bool is_mutex = object.kind == Kind::mutex;
        if ((is_mutex || object.kind == Kind::rwlock) && object.owner == forker && taking_count < most)
            takings[taking_count++] = {object.id, is_mutex ? Operation::mutex_lock : Operation::rwlock_wrlock,
                                       object.attributes, is_mutex ? object.count : 1};
        if (!is_mutex) continue;
        if (object.owner == forker) note_own(object.id);
        if (object.owner != no_slot && object.owner != forker) held[count++] = object.id;
    }
}

void take(Machine& machine, ThreadSlot thread) {
    for (std::uint32_t i = 0; i < taking_count; ++i) {
        Action action{};
        action.operation = takings[i].operation;
        action.object = takings[i].lock;
        action.attributes = takings[i].attributes;
        for (std::uint32_t left = takings[i].times; left > 0; --left) {
            machine.announce(thread, action);
            machine.apply(thread);
        }
    }
    taking_count = 0;
}

bool blocks(const Action& action) {
    const OperationTraits& what = traits(action.operation);
    if (what.kind != Kind::mutex) return false;
    const bool is_init = what.lifetime == Lifetime::begins;
    if (is_init) note_own(action.object);
    if (had_siblings && what.lock == LockChange::takes && !is_own(action.object))
        scheduler::note_external_event(channel::external_event::child_locks);
    for (std::uint32_t i = 0; i < count; ++i) {
        if (!(held[i] == action.object)) continue;
        if (what.waits == Wait::owner) return (action.flags & flag::timed) == 0;
        if (is_init || what.lock == LockChange::gives_back) held[i] = held[--count];
        return false;
    }
    return false;
}

}  // namespace raddle::inherited
