#include "preload/intercept/renewed_objects.h"

#include <cstring>

#include "preload/base/thread_arena.h"
#include "preload/intercept/describe.h"

namespace raddle::renewed_objects {

std::uint32_t watched = 0;

namespace {

struct Destroyed {
    Kind kind;
    const void* address;
    ObjectId object;
};
constexpr std::uint32_t most_watched = 16;
Destroyed all[most_watched];
std::uint32_t oldest = 0;

bool is_zero(const void* from, std::size_t bytes) {
    const auto* at = static_cast<const unsigned char*>(from);
    for (std::size_t i = 0; i < bytes; ++i)
        if (at[i] != 0) return false;
    return true;
}

// Whether the memory is as a static initialiser or a constructor leaves it.
bool is_new(Kind kind, const void* address) {
    constexpr int kinds_of_mutexes = 0x1ff;
    switch (kind) {
        case Kind::mutex: {
            pthread_mutex_t copy;
            std::memcpy(&copy, address, sizeof copy);
            if ((copy.__data.__kind & ~kinds_of_mutexes) != 0) return false;
            copy.__data.__kind = 0;
            return is_zero(&copy, sizeof copy);
        }
        case Kind::rwlock: {
            pthread_rwlock_t copy;
            std::memcpy(&copy, address, sizeof copy);
            copy.__data.__flags = 0;
            return is_zero(&copy, sizeof copy);
        }
        default: return is_zero(address, sizeof(pthread_cond_t));
    }
}

// Other memory may be unmapped later.
bool stays_mapped(const void* address) {
    const auto at = reinterpret_cast<std::uint64_t>(address);
    if (thread_arena::low_heap.contains(at)) return true;
    if (thread_arena::contains(at)) {
        const std::uint32_t arena = thread_arena::index_of(at);
        if (at - thread_arena::start_of(arena) < thread_arena::heap_bytes) return true;
        const Thread& thread = thread_table::at(arena);
        return thread.known && !thread.ended && at >= reinterpret_cast<std::uint64_t>(thread.context.stack);
    }
    const ObjectId object = canonical::name_of(address);
    constexpr std::uint64_t executable = 0;
    return object.space() == Space::stack || (object.space() == Space::module && object.owner() == executable);
}

Operation init_of(Kind kind) {
    if (kind == Kind::mutex) return Operation::mutex_init;
    return kind == Kind::rwlock ? Operation::rwlock_init : Operation::cond_init;
}

void remove(std::uint32_t index) { all[index] = all[--watched]; }

void announce_one(const Destroyed& object, const Action& next) {
    Thread& me = scheduler::current();
    const Misuse found = me.found;
    const std::uint64_t next_address = me.next_address;
    me.found = Misuse::none;
    Action action;
    action.site = next.site;
    action.object = object.object;
    action.operation = init_of(object.kind);
    if (object.kind == Kind::mutex)
        action.attributes = attributes_of(static_cast<const pthread_mutex_t*>(object.address));
    if (object.kind == Kind::rwlock)
        action.attributes = attributes_of(static_cast<const pthread_rwlock_t*>(object.address));
    act_uncancelled(action);
    me.found = found;
    me.next_address = next_address;
}

}  // namespace

void watch(Kind kind, const void* address) {
    if (kind != Kind::mutex && kind != Kind::rwlock && kind != Kind::condition) return;
    forget(address);
    if (!stays_mapped(address) || is_new(kind, address)) return;
    const std::uint32_t place = watched < most_watched ? watched++ : oldest++ % most_watched;
    all[place] = {kind, address, canonical::name_of(address)};
}

void forget(const void* address) {
    for (std::uint32_t i = watched; i-- > 0;)
        if (all[i].address == address) remove(i);
}

void announce(const Action& next) {
    if (!recorded()) return;
    for (std::uint32_t i = watched; i-- > 0;) {
        if (i >= watched) continue;  // another thread has removed some meanwhile
        const Destroyed object = all[i];
        if (!stays_mapped(object.address)) {
            remove(i);
            continue;
        }
        if (!is_new(object.kind, object.address)) continue;
        remove(i);
        const ObjectSlot slot = scheduler::machine().find_object(object.object);
        if (slot == no_slot || scheduler::machine().object(slot).state != ObjectState::destroyed) continue;
        announce_one(object, next);
    }
}

}  // namespace raddle::renewed_objects
