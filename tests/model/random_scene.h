// Random scenes: threads announce any operation, on few objects, so that they conflict.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "supervisor/model/interruption.h"
#include "tests/model/script.h"

namespace raddle::testing {

// Compares all fields: a new field does not compile here until it is compared. (The journal's mark in a record is not
// part of its contents.)
inline bool same(const VariableRead& a, const VariableRead& b) {
    return a.object == b.object && a.bytes == b.bytes && a.value == b.value;
}

inline bool same(const ThreadRecord& a, const ThreadRecord& b) {
    const auto& [a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12, a13, a14, a15, a16, a17, a_journal, a_reads,
                 a18, a19, a20, a21, a22] = a;
    const auto& [b0, b1, b2, b3, b4, b5, b6, b7, b8, b9, b10, b11, b12, b13, b14, b15, b16, b17, b_journal, b_reads,
                 b18, b19, b20, b21, b22] = b;
    (void)a_journal, (void)b_journal, (void)a_reads, (void)b_reads;
    return a0 == b0 && a1 == b1 && a2 == b2 && a3 == b3 && a4 == b4 && a5 == b5 && a6 == b6 && a7 == b7 && a8 == b8 &&
           a9 == b9 && a10 == b10 && a11 == b11 && a12 == b12 && a13 == b13 && a14 == b14 && a15 == b15 && a16 == b16 &&
           a17 == b17 && a18 == b18 && a19 == b19 && a20 == b20 && a21 == b21 && a22 == b22;
}

inline bool same(const ObjectRecord& a, const ObjectRecord& b) {
    const auto& [a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12, a13, a14, a15, a_journal] = a;
    const auto& [b0, b1, b2, b3, b4, b5, b6, b7, b8, b9, b10, b11, b12, b13, b14, b15, b_journal] = b;
    (void)a_journal, (void)b_journal;
    return a0 == b0 && a1 == b1 && a2 == b2 && a3 == b3 && a4 == b4 && a5 == b5 && a6 == b6 && a7 == b7 && a8 == b8 &&
           a9 == b9 && a10 == b10 && a11 == b11 && a12 == b12 && a13 == b13 && a14 == b14 && a15 == b15;
}

inline bool same(const ActionOutcome& a, const ActionOutcome& b) {
    const auto& [a0, a1, a2, a3, a4, a5, a_unused, a6, a7, a8] = a;
    const auto& [b0, b1, b2, b3, b4, b5, b_unused, b6, b7, b8] = b;
    (void)a_unused, (void)b_unused;
    for (std::uint8_t i = 0; i < a5 && a5 == b5; ++i)
        if (a7[i].object != b7[i].object || a7[i].mode != b7[i].mode) return false;
    return a0 == b0 && a1 == b1 && a2 == b2 && a3 == b3 && a4 == b4 && a5 == b5 && a6 == b6 && a8 == b8;
}

// Reads have numbers in the order of the execution, so a snapshot keeps what they say.
struct Snapshot {
    std::vector<ThreadRecord> threads;
    std::vector<ObjectRecord> objects;
    std::vector<std::vector<VariableRead>> reads;  // by thread

    explicit Snapshot(const Machine& machine) {
        for (ThreadSlot i = 0; i < machine.thread_count(); ++i) {
            threads.push_back(machine.thread(i));
            VariableRead last[max_last_reads];
            reads.emplace_back(last, last + machine.last_variables(i, max_last_reads, last));
        }
        for (ObjectSlot i = 0; i < machine.object_count(); ++i) objects.push_back(machine.object(i));
    }

    // Empty if they are the same. A record that only one of them has must be as if new.
    std::string difference(const Snapshot& other) const {
        for (std::size_t i = 0; i < std::max(threads.size(), other.threads.size()); ++i)
            if (!same(at(threads, i, other.threads), at(other.threads, i, threads)))
                return "thread " + std::to_string(i);
        const std::vector<VariableRead> none;
        for (std::size_t i = 0; i < std::max(reads.size(), other.reads.size()); ++i) {
            const auto& here = i < reads.size() ? reads[i] : none;
            const auto& there = i < other.reads.size() ? other.reads[i] : none;
            if (!std::equal(here.begin(), here.end(), there.begin(), there.end(),
                            [](const VariableRead& a, const VariableRead& b) { return same(a, b); }))
                return "reads of thread " + std::to_string(i);
        }
        for (std::size_t i = 0; i < std::max(objects.size(), other.objects.size()); ++i)
            if (!same(at(objects, i, other.objects), at(other.objects, i, objects)))
                return "object " + std::to_string(i);
        return {};
    }

private:
    static ThreadRecord fresh(const ThreadRecord& named) {
        ThreadRecord made;
        made.id = named.id;
        made.self = named.self;
        return made;
    }
    static ObjectRecord fresh(const ObjectRecord& named) {
        ObjectRecord made;
        made.id = named.id;
        return made;
    }
    template <typename Record>
    static Record at(const std::vector<Record>& here, std::size_t i, const std::vector<Record>& there) {
        return i < here.size() ? here[i] : fresh(there[i]);
    }
};

class RandomScene {
public:
    explicit RandomScene(std::uint64_t seed, MachineOptions options = {})
        : machine(plain_memory, options), random_(seed) {
        machine.keep_journal(true);
        for (std::uint32_t n = 1; n <= 3; ++n) {
            machine.announce(0, action(Operation::thread_create, {thread_object(machine.next_child(0))}));
            machine.apply(0);
        }
        everyone_announces();
    }

    std::uint64_t draw(std::uint64_t below) {
        random_ += 0x9e3779b97f4a7c15ULL;
        return mix64(random_) % below;
    }
    bool one_in(std::uint64_t n) { return draw(n) == 0; }

    std::vector<ThreadSlot> who_can_run() const {
        std::vector<ThreadSlot> found;
        for (ThreadSlot slot = 0; slot < machine.thread_count(); ++slot)
            if (machine.can_run(slot)) found.push_back(slot);
        return found;
    }
    std::uint32_t any_way(ThreadSlot slot) {
        return static_cast<std::uint32_t>(draw(machine.alternatives(slot).count));
    }

    // A thread goes on, and announces its next action; false if none can.
    bool step() {
        const std::vector<ThreadSlot> able = who_can_run();
        if (able.empty()) return false;
        const ThreadSlot slot = able[draw(able.size())];
        machine.apply(slot, any_way(slot));
        everyone_announces();
        return true;
    }

    void everyone_announces() {
        for (ThreadSlot slot = 0; slot < machine.thread_count(); ++slot)
            if (machine.thread(slot).life == Life::running) machine.announce(slot, next_of(slot));
    }

    // A thread that left the wait for a condition on a signal comes back to it.
    Action next_of(ThreadSlot slot) {
        const ThreadRecord& thread = machine.thread(slot);
        const bool stays = thread.waits_on != no_slot && thread.pending.operation == Operation::cond_wake;
        return stays ? thread.pending : any_action(slot);
    }

    Action any_action(ThreadSlot slot) {
        for (;;) {
            const auto operation = static_cast<Operation>(draw(operation_count));
            const OperationTraits& what = traits(operation);
            if (what.internal) continue;
            if (what.lifetime != Lifetime::unaffected && operation != Operation::sem_init &&
                operation != Operation::barrier_init && !one_in(8))
                continue;
            switch (operation) {
                case Operation::thread_exit:
                case Operation::fail:
                case Operation::process_exit:
                case Operation::process_crash:
                case Operation::process_replace:
                    if (!one_in(20)) continue;
                    break;
                case Operation::thread_create:
                    if (machine.thread(slot).children >= 2 || machine.thread_count() >= 6) continue;
                    return action(operation, {thread_object(machine.next_child(slot))},
                                  one_in(4) ? thread_detached : 0);
                default: break;
            }
            return dressed(operation);
        }
    }

    Machine machine;

private:
    // Number n of a kind always has the same attributes.
    Thing object_of(Kind kind, std::uint64_t n) {
        Thing made = thing(static_cast<std::uint64_t>(kind) * 8 + n);
        constexpr std::uint8_t mutexes[] = {0, recursive, attribute::mutex::robust, errorcheck};
        if (kind == Kind::mutex) made.attributes = mutexes[n];
        if (kind == Kind::rwlock && n == 1) made.attributes = attribute::rwlock::prefer_writers;
        return made;
    }

    Action dressed(Operation operation) {
        const Kind kind = traits(operation).kind;
        Action made = action(operation, object_of(kind, draw(kind == Kind::mutex ? 4 : 2)));
        for (std::int64_t& word : made.words) word = static_cast<std::int64_t>(draw(3));
        made.update = static_cast<Update>(draw(5));
        if (kind == Kind::process || kind == Kind::timer) made.object = {};
        if (kind == Kind::thread)
            made.object = thread_object(machine.thread(static_cast<ThreadSlot>(draw(machine.thread_count()))).id);
        if (operation == Operation::cond_wait) {
            const Thing mutex = object_of(Kind::mutex, draw(4));
            made.second = mutex.id;
            made.attributes = mutex.attributes;
        }
        if (operation == Operation::descriptor_close) made.second = thing(7).id;
        if (operation == Operation::thread_cancel && one_in(2)) made.attributes = attribute::cancel::signal;
        if (one_in(3)) made.flags |= flag::timed;
        if (one_in(3)) made.flags |= flag::cancellable;
        if ((made.flags & flag::cancellable) != 0 && one_in(2)) made.flags |= flag::interruptible;
        if ((made.flags & flag::interruptible) != 0 && one_in(2)) made.flags |= flag::uncancellable;
        if (one_in(4)) made.flags |= flag::absolute;
        if (one_in(4)) made.flags |= flag::nonblocking;
        made.limit_or_initial = draw(100);
        return made;
    }

    std::uint64_t random_;
};

}  // namespace raddle::testing
