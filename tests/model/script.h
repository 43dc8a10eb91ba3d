// Scenes for the machine. main (thread 0) creates and starts threads 1 … n; they do one action after the other.
//
//     Script s(2);
//     s.does(1, lock(m));
//     EXPECT_BLOCKED(s, 2, lock(m));
//     s.does(1, unlock(m));
//     EXPECT_EQ(s.goes_on(2).result, 0);
#pragma once

#include <gtest/gtest.h>

#include <cerrno>
#include <cstdlib>

#include "supervisor/model/kinds.h"
#include "supervisor/model/tail.h"

namespace raddle::testing {

inline void* plain_memory(void* old, std::size_t, std::size_t new_bytes) {
    if (new_bytes != 0) return std::realloc(old, new_bytes);
    std::free(old);
    return nullptr;
}

// An object with its attributes, which go with every action on it.
struct Thing {
    ObjectId id{};
    std::uint8_t attributes = 0;
};
constexpr Thing thing(std::uint64_t number, std::uint8_t attributes = 0) {
    return {object_in(Space::program, 0, number), attributes};
}
constexpr std::uint8_t recursive = static_cast<std::uint8_t>(MutexType::recursive);
constexpr std::uint8_t errorcheck = static_cast<std::uint8_t>(MutexType::errorcheck);

// ---- actions

inline Action action(Operation operation, Thing object = {}, std::int64_t argument = 0) {
    Action made;
    made.operation = operation;
    made.object = object.id;
    made.attributes = object.attributes;
    made.words[0] = argument;
    return made;
}
inline Action with(Action a, Flags flags, std::uint64_t timeout = 0) {
    a.flags |= flags;
    a.limit_or_initial = timeout;
    return a;
}
inline Action timed(const Action& a, std::uint64_t length) { return with(a, flag::timed, length); }
inline Action until(const Action& a, std::uint64_t time) { return with(a, flag::timed | flag::absolute, time); }
inline Action cancellable(const Action& a) { return with(a, flag::cancellable, a.limit_or_initial); }

inline Action lock(Thing m) { return action(Operation::mutex_lock, m); }
inline Action trylock(Thing m) { return action(Operation::mutex_trylock, m); }
inline Action unlock(Thing m) { return action(Operation::mutex_unlock, m); }
inline Action consistent(Thing m) { return action(Operation::mutex_consistent, m); }

inline Action wait(Thing condition, Thing mutex) {
    Action made = action(Operation::cond_wait, condition);
    made.second = mutex.id;
    made.attributes = mutex.attributes;
    return made;
}
inline Action signal(Thing c) { return action(Operation::cond_signal, c); }
inline Action broadcast(Thing c) { return action(Operation::cond_broadcast, c); }

inline Action rdlock(Thing l) { return action(Operation::rwlock_rdlock, l); }
inline Action wrlock(Thing l) { return action(Operation::rwlock_wrlock, l); }
inline Action tryrdlock(Thing l) { return action(Operation::rwlock_tryrdlock, l); }
inline Action trywrlock(Thing l) { return action(Operation::rwlock_trywrlock, l); }
inline Action rwunlock(Thing l) { return action(Operation::rwlock_rdunlock, l); }

inline Action read(Thing v) { return action(Operation::memory_read, v); }
inline Action write(Thing v, std::int64_t value) { return action(Operation::memory_write, v, value); }
inline Action yield() { return action(Operation::yield); }
inline Action sleep(std::uint64_t length) { return with(action(Operation::sleep), 0, length); }
inline Action testcancel() { return action(Operation::thread_testcancel); }
inline Action thread_exit(std::int64_t value = 0) { return action(Operation::thread_exit, {}, value); }
inline Action process_exit(std::int64_t status) { return action(Operation::process_exit, {}, status); }

// ---- the scene

class Script {
public:
    explicit Script(std::uint32_t threads, MachineOptions options = {}) : machine(plain_memory, options) {
        machine.keep_journal(true);
        for (std::uint32_t n = 1; n <= threads; ++n) {
            does(0, action(Operation::thread_create, thread_thing(n)));
            goes_on(n);
        }
    }

    // Thread n is main's n-th child; 0 is main.
    static ThreadId id(std::uint32_t n) { return n == 0 ? main_thread : child_of(main_thread, n); }
    static Thing thread_thing(std::uint32_t n) { return {thread_object(id(n))}; }
    static Action join(std::uint32_t n) { return action(Operation::thread_join, thread_thing(n)); }
    static Action tryjoin(std::uint32_t n) { return action(Operation::thread_tryjoin, thread_thing(n)); }
    static Action detach(std::uint32_t n) { return action(Operation::thread_detach, thread_thing(n)); }
    static Action cancel(std::uint32_t n) { return action(Operation::thread_cancel, thread_thing(n)); }

    ThreadSlot slot(std::uint32_t n) { return machine.slot_of(id(n)); }
    const ThreadRecord& record(std::uint32_t n) { return machine.thread(slot(n)); }
    const ObjectRecord& record(Thing object) { return machine.object(machine.object_slot(object.id)); }

    void announces(std::uint32_t n, const Action& a) {
        EXPECT_EQ(record(n).life, Life::running) << "thread " << n << " is not free to announce";
        machine.announce(slot(n), a);
    }
    // The pending action of the thread takes effect: announced, or the rest of a call.
    ActionOutcome goes_on(std::uint32_t n, std::uint32_t value = 0) {
        const Alternatives ways = machine.alternatives(slot(n));
        EXPECT_LT(value, ways.count) << "thread " << n << " cannot do " << name_of(record(n).pending.operation);
        return value < ways.count ? machine.apply(slot(n), value) : ActionOutcome{};
    }
    ActionOutcome does(std::uint32_t n, const Action& a, std::uint32_t value = 0) {
        announces(n, a);
        return goes_on(n, value);
    }

    bool ready(std::uint32_t n) { return machine.is_ready(slot(n)); }
    bool blocked(std::uint32_t n) { return machine.alternatives(slot(n)).readiness == Readiness::blocked; }
    bool can_only_time_out(std::uint32_t n) {
        return machine.alternatives(slot(n)).readiness == Readiness::timeout_only;
    }
    std::uint32_t ways(std::uint32_t n) { return machine.alternatives(slot(n)).count; }
    // The cost of a step of thread n after one of `last`.
    std::uint32_t cost(std::uint32_t last, std::uint32_t n, std::uint32_t value = 0) {
        return machine.cost(slot(last), slot(n), value);
    }

    Machine machine;
};

// The thread announces the action, and it cannot take effect. A timed one may time out.
#define EXPECT_BLOCKED(script, n, ...)                                               \
    do {                                                                             \
        (script).announces(n, __VA_ARGS__);                                          \
        EXPECT_FALSE((script).ready(n)) << #n " should be blocked on " #__VA_ARGS__; \
    } while (false)

#define EXPECT_MISUSE(expected, outcome) EXPECT_STREQ(name_of((outcome).misuse), name_of(Misuse::expected))

}  // namespace raddle::testing
