// Executions made by hand: threads announce actions to a machine, and each step is recorded like in a target.
//
//     HandmadeExecution r;
//     const ThreadId t = r.create(main_thread);
//     r.does(t, Operation::mutex_lock, object(0));
#pragma once

#include <gtest/gtest.h>

#include "supervisor/trace/execution.h"
#include "supervisor/trace/track.h"

namespace raddle::testing {

constexpr ObjectId object(std::uint64_t number) { return object_in(Space::program, 0, number); }

inline Action action(Operation operation, ObjectId on = {}, std::int64_t argument = 0) {
    Action action;
    action.operation = operation;
    action.object = on;
    action.words[0] = argument;
    return action;
}

class HandmadeExecution {
public:
    explicit HandmadeExecution(MachineOptions options = {}) : machine_(supervisor_memory, options) {}

    // The thread creates its next child, and the child starts.
    ThreadId create(ThreadId parent) {
        const ThreadId child = machine_.next_child(machine_.find_thread(parent));
        does(parent, action(Operation::thread_create, thread_object(child)));
        goes_on(child);
        return child;
    }

    // Announces the action and takes it at once.
    const Event& does(ThreadId thread, const Action& what, std::uint32_t value = 0) {
        announces(thread, what);
        return goes_on(thread, value);
    }
    const Event& does(ThreadId thread, Operation operation, ObjectId on = {}, std::int64_t argument = 0) {
        return does(thread, action(operation, on, argument));
    }
    void announces(ThreadId thread, const Action& what) { machine_.announce(machine_.find_thread(thread), what); }
    // Takes the announced action.
    const Event& goes_on(ThreadId thread, std::uint32_t value = 0) {
        const ThreadSlot slot = machine_.find_thread(thread);
        EXPECT_LT(value, machine_.alternatives(slot).count);
        Event& event = execution_.events.emplace_back();
        event.thread = thread;
        event.value = value;
        event.action = machine_.thread(slot).pending;
        const ActionOutcome outcome = machine_.apply(slot, value);
        event.effect = outcome.effect;
        event.misuse = outcome.misuse;
        event.result = outcome.result;
        return event;
    }

    // The recorded execution; actions announced but not taken are pending.
    Execution execution() const {
        Execution execution = execution_;
        for (ThreadSlot slot = 0; slot < machine_.thread_count(); ++slot)
            if (machine_.thread(slot).life == Life::announced)
                execution.pending.push_back({machine_.thread(slot).id, machine_.thread(slot).pending});
        return execution;
    }

private:
    Machine machine_;
    Execution execution_;
};

}  // namespace raddle::testing
