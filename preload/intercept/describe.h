// Converts a call's arguments to an action, and an outcome to a return value. Attributes come from the objects
// themselves, in glibc's layout: statically initialised objects have no init call.
#pragma once

#include <cerrno>

#include "preload/base/raw.h"
#include "preload/intercept/function_types.h"
#include "preload/memory/heap_blocks.h"
#include "preload/schedule/call_site.h"
#include "preload/schedule/canonical.h"
#include "preload/schedule/scheduler.h"
#include "preload/schedule/shared_memory.h"

namespace raddle {

namespace virtual_clock {
inline constexpr std::uint64_t second = 1000000000;
inline constexpr std::uint64_t realtime_start = 1735689600 * second;  // 2025-01-01
inline constexpr std::uint64_t monotonic_start = 100000 * second;
constexpr std::uint64_t start_of(clockid_t clock) {
    switch (clock) {
        case CLOCK_REALTIME:
        case CLOCK_REALTIME_COARSE:
        case CLOCK_REALTIME_ALARM:
        case CLOCK_TAI: return realtime_start;
        case CLOCK_MONOTONIC:
        case CLOCK_MONOTONIC_RAW:
        case CLOCK_MONOTONIC_COARSE:
        case CLOCK_BOOTTIME:
        case CLOCK_BOOTTIME_ALARM: return monotonic_start;
        default: return 0;  // clocks of processor time
    }
}
}  // namespace virtual_clock

// ---- actions

inline Action of(Operation operation) {
    Action action;
    action.operation = operation;
    action.site = canonical::site_of(call_site);
    return action;
}

inline Action on(Operation operation, const volatile void* object) {
    const void* address = const_cast<const void*>(object);
    Action action = of(operation);
    shared_memory::check_object(address, operation);
    action.object = canonical::name_of(address);
    if (action.object.space() == Space::heap && heap::is_freed(address)) [[unlikely]]
        scheduler::current().found = Misuse::freed_memory;
    return action;
}

inline Action with_count(Action action, std::int64_t count) {
    action.set_initial_count(count);
    return action;
}

inline Action on_thread(Operation operation, const Thread& thread) {
    Action action = of(operation);
    action.object = thread_object(thread.id);
    return action;
}

// Static initialisers and some constructors (std::mutex) only store bytes, without a call. Initialisation and first use
// therefore leave a mark in the object, and destruction leaves another one. If the machine knows an object and the mark
// is gone, the object is a new one at an old address, and an event says so. After a destruction the thread that made
// the object new announces it (renewed_objects.h); the rest is left to the first user.
namespace mark {
inline constexpr int mutex = -1;          // in __kind, as glibc does
inline constexpr unsigned condition = 4;  // in __wrefs, as glibc does
inline constexpr unsigned rwlock = ~0u;   // in __readers
inline bool is_on(const pthread_mutex_t* object) { return object->__data.__kind == mutex; }
inline bool is_on(const pthread_cond_t* object) { return (object->__data.__wrefs & condition) != 0; }
inline bool is_on(const pthread_rwlock_t* object) { return object->__data.__readers == rwlock; }

// The mark of a known object stands in a field that only glibc's own lock uses.
inline constexpr short known_mutex = 0x5ad1;
inline constexpr unsigned known_rwlock = 0x5add1e5;
inline bool is_known(const pthread_mutex_t* object) { return object->__data.__spins == known_mutex; }
inline bool is_known(const pthread_rwlock_t* object) { return object->__data.__pad4 == known_rwlock; }
inline void make_known(const pthread_mutex_t* object) {
    const_cast<pthread_mutex_t*>(object)->__data.__spins = known_mutex;
}
inline void make_known(const pthread_rwlock_t* object) {
    const_cast<pthread_rwlock_t*>(object)->__data.__pad4 = known_rwlock;
}
}  // namespace mark

inline std::uint8_t attributes_of(const pthread_mutex_t* mutex) {
    if (mark::is_on(mutex)) return 0;
    const int kind = mutex->__data.__kind;
    std::uint8_t attributes = 0;
    switch (kind & 3) {
        case PTHREAD_MUTEX_RECURSIVE_NP: attributes = static_cast<std::uint8_t>(MutexType::recursive); break;
        case PTHREAD_MUTEX_ERRORCHECK_NP: attributes = static_cast<std::uint8_t>(MutexType::errorcheck); break;
        default: break;  // adaptive mutexes differ only in how they wait
    }
    constexpr int robust = 16;
    return (kind & robust) != 0 ? attributes | attribute::mutex::robust : attributes;
}

inline std::uint8_t attributes_of(const pthread_rwlock_t* lock) {
    return lock->__data.__flags == PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP ? attribute::rwlock::prefer_writers : 0;
}

inline void renew(Operation init, const Action& use, std::uint8_t attributes) {
    Action action = use;
    action.operation = init;
    action.attributes = attributes;
    act(action);
}

template <typename Lock>
inline void renew_if_new(Operation init, const Action& use, const Lock* lock) {
    if (mark::is_known(lock)) [[likely]]
        return;
    if (mark::is_on(lock) || scheduler::current().found == Misuse::freed_memory) return;
    mark::make_known(lock);
    const ObjectSlot slot = scheduler::machine().find_object(use.object);
    if (slot == no_slot) return;
    // A free lock needs no event. Otherwise the first of several threads would have one more event than the others.
    const ObjectRecord& old = scheduler::machine().object(slot);
    const bool is_held = old.owner != no_slot || (old.kind == Kind::rwlock && old.count > 0);
    if (old.state == ObjectState::destroyed || (old.state == ObjectState::live && is_held))
        renew(init, use, use.attributes);
}

inline Action on_mutex(Operation operation, const pthread_mutex_t* mutex) {
    Action action = on(operation, mutex);
    action.attributes = attributes_of(mutex);
    renew_if_new(Operation::mutex_init, action, mutex);
    return action;
}
inline Action on_mutex(Operation operation, const mtx_t* mutex) {
    return on_mutex(operation, reinterpret_cast<const pthread_mutex_t*>(mutex));
}

inline Action on_rwlock(Operation operation, const pthread_rwlock_t* lock) {
    Action action = on(operation, lock);
    action.attributes = attributes_of(lock);
    renew_if_new(Operation::rwlock_init, action, lock);
    return action;
}

inline Action on_condition(Operation operation, const pthread_cond_t* condition) {
    const Action action = on(operation, condition);
    const ObjectSlot slot = scheduler::machine().find_object(action.object);
    if (slot == no_slot || scheduler::machine().object(slot).state != ObjectState::destroyed) [[likely]]
        return action;
    if (!mark::is_on(condition) && scheduler::current().found != Misuse::freed_memory)
        renew(Operation::cond_init, action, 0);
    return action;
}
inline Action on_condition(Operation operation, const cnd_t* condition) {
    return on_condition(operation, reinterpret_cast<const pthread_cond_t*>(condition));
}

inline Action on_wait(const pthread_cond_t* condition, const pthread_mutex_t* mutex) {
    const Action held = on_mutex(Operation::mutex_lock, mutex);
    Action action = on_condition(Operation::cond_wait, condition);
    action.second = held.object;
    action.attributes = held.attributes;
    return action;
}
inline Action on_wait(const cnd_t* condition, const mtx_t* mutex) {
    return on_wait(reinterpret_cast<const pthread_cond_t*>(condition), reinterpret_cast<const pthread_mutex_t*>(mutex));
}

// ---- with a time limit

inline bool valid(const timespec* time) { return time->tv_nsec >= 0 && time->tv_nsec < 1000000000; }

inline std::uint64_t nanoseconds_of(const timespec* time) {
    if (time->tv_sec < 0) return 0;
    constexpr std::int64_t far = std::int64_t{1} << 33;  // centuries
    const std::int64_t seconds = time->tv_sec < far ? time->tv_sec : far;
    return static_cast<std::uint64_t>(seconds) * virtual_clock::second + static_cast<std::uint64_t>(time->tv_nsec);
}

inline Action until(Action action, clockid_t clock, const timespec* time) {
    const std::uint64_t point = nanoseconds_of(time), start = virtual_clock::start_of(clock);
    action.flags |= flag::timed | flag::absolute;
    action.set_timeout(point > start ? point - start : 0);
    return action;
}

inline clockid_t clock_of(const pthread_cond_t* condition) {
    return (condition->__data.__wrefs & 2) != 0 ? CLOCK_MONOTONIC : CLOCK_REALTIME;
}

inline int bad_time(const timespec* time) { return valid(time) ? 0 : EINVAL; }
inline int bad_time(clockid_t clock, const timespec* time) {
    return (clock == CLOCK_REALTIME || clock == CLOCK_MONOTONIC) && valid(time) ? 0 : EINVAL;
}

// Marks the action as a cancellation point.
inline Action point(Action action) {
    const Thread& me = scheduler::current();
    if (!me.cancel_disabled && !me.leaving) action.flags |= flag::cancellable;
    return action;
}

// ---- what the call returns

// Converts a result of the kernel to libc's: -1 and errno if it is an error.
inline long from_kernel(long result) {
    if (!raw::failed(result)) return result;
    errno = static_cast<int>(-result);
    return -1;
}

struct as_error {  // an error number
    static int of(const ActionOutcome& outcome) { return static_cast<int>(outcome.result); }
    static int refused(int error) { return error; }
};

struct as_errno {  // 0, or -1 and errno
    static int refused(int error) {
        errno = error;
        return -1;
    }
    static int of(const ActionOutcome& outcome) {
        return outcome.result == 0 ? 0 : refused(static_cast<int>(outcome.result));
    }
};

struct as_thrd {  // a code of C11
    static int refused(int error) {
        switch (error) {
            case 0: return thrd_success;
            case EBUSY: return thrd_busy;
            case ETIMEDOUT: return thrd_timedout;
            case ENOMEM: return thrd_nomem;
            default: return thrd_error;
        }
    }
    static int of(const ActionOutcome& outcome) { return refused(static_cast<int>(outcome.result)); }
};

struct as_nothing {
    static void of(const ActionOutcome&) {}
    static void refused(int) {}
};

}  // namespace raddle
