#include "preload/schedule/lone_thread_locks.h"

namespace raddle::lone_thread_locks {

namespace {

constexpr std::uint32_t events_before = 10'000;
constexpr std::uint32_t most = 32;

Action noted[most];
std::uint32_t count = 0;
bool recording = false;

// The locks that many threads share: not once-controls, which have an owner too.
bool is_of_locks(Wait wait) { return wait == Wait::owner || wait == Wait::holders; }

bool takes(const Action& action) {
    const OperationTraits& what = traits(action.operation);
    const bool is_robust = what.kind == Kind::mutex && (action.attributes & attribute::mutex::robust) != 0;
    return is_of_locks(what.waits) && !is_robust;
}

bool releases(const Action& action) { return is_of_locks(traits(action.operation).ends); }

bool may_be_taken_twice(const Action& first, const Action& second) {
    const OperationTraits& one = traits(first.operation);
    const OperationTraits& other = traits(second.operation);
    const bool both_read = one.lock == LockChange::takes_shared && other.lock == LockChange::takes_shared;
    const bool is_recursive =
        static_cast<MutexType>(second.attributes & attribute::mutex::type_mask) == MutexType::recursive;
    return both_read ||
           (one.kind == Kind::mutex && other.kind == Kind::mutex && other.lock == LockChange::takes && is_recursive);
}

Action* find(const ObjectId& object) {
    for (std::uint32_t i = count; i-- > 0;)
        if (noted[i].object == object) return &noted[i];
    return nullptr;
}

// The machine knows the lock, and no thread holds it.
bool is_free(const Action& action, const Machine& machine) {
    const ObjectSlot slot = machine.find_object(action.object);
    if (slot == no_slot) return false;
    const ObjectRecord& lock = machine.object(slot);
    return lock.state == ObjectState::live && lock.kind == traits(action.operation).kind && lock.owner == no_slot &&
           lock.count == 0 && lock.waiters == 0 && lock.value == 0 && !lock.flag;
}

}  // namespace

bool is_no_event(const Action& action, const Machine& machine, std::uint32_t events) {
    if (recording || events < events_before) return false;
    if ((action.flags & (flag::timed | flag::cancellable)) != 0) return false;
    Action* const known = find(action.object);
    if (known != nullptr && releases(action)) {
        for (Action* one = known; one + 1 < noted + count; ++one) one[0] = one[1];
        --count;
        return true;
    }
    if (known != nullptr && !may_be_taken_twice(*known, action)) return false;
    if (count == most || !takes(action) || !is_free(action, machine)) return false;
    noted[count++] = action;
    return true;
}

bool start_recording() {
    if (count == 0 || recording) return false;
    return recording = true;
}
std::uint32_t held_count() { return count; }
const Action& held(std::uint32_t index) { return noted[index]; }
void end_recording() {
    count = 0;
    recording = false;
}

}  // namespace raddle::lone_thread_locks
