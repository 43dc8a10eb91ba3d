// Futexes: queues of threads, one for each word of the program's memory. The machine does not know the word; the thread
// compares it. A wait is two actions. futex_enter opens the queue to the thread, and its code then reads the word. If
// the word is as expected the thread announces futex_wait, and thereby stands in the queue. No other thread acts
// between an action and the next announcement of the same thread, so comparing and queueing are one step, as in the
// kernel. waiters: the length of the queue; tickets: given out in it.
//
// A state that only the shim knows (a set of semaphores, a list of messages) has a queue, too. state_enter is the look
// at it, and the wait is a futex_wait. Other than a futex, such a state also orders the memory of those who use it.
//
// A requeue of nobody looks at both queues: calls that compare a word, and then wake or move, begin with it. Their
// later parts reach only the waiters of that moment (wake_bits and requeue_moved hold the last ticket in their upper
// half), so the parts together are the one step that they are in the kernel.
#include "supervisor/model/kinds.h"

namespace raddle {

namespace {

constexpr std::uint64_t max_combinations = 1 << 16;
constexpr std::int64_t any_bits = 0xffffffff;

// The last ticket that the action reaches; 0: all.
std::uint32_t last_ticket(std::int64_t packed) {
    return static_cast<std::uint32_t>(static_cast<std::uint64_t>(packed) >> 32);
}

bool waits_for(const ThreadRecord& thread, ObjectSlot futex, std::int64_t packed_bits) {
    const std::uint32_t last = last_ticket(packed_bits);
    return thread.waits_on == futex && thread.pending.operation == Operation::futex_wait &&
           (thread.pending.wait_bits() & packed_bits) != 0 && (last == 0 || thread.ticket <= last);
}

// The first thread after this ticket that these bits reach.
ThreadSlot next_waiter(const MachineState& machine, ObjectSlot futex, std::uint32_t after, std::int64_t bits) {
    ThreadSlot found = no_slot;
    for (ThreadSlot slot = 0; slot < machine.thread_count(); ++slot) {
        const ThreadRecord& thread = machine.thread(slot);
        if (!waits_for(thread, futex, bits) || thread.ticket <= after) continue;
        if (found == no_slot || thread.ticket < machine.thread(found).ticket) found = slot;
    }
    return found;
}

std::uint64_t count_reached(const MachineState& machine, ObjectSlot futex, std::int64_t bits) {
    std::uint64_t count = 0;
    for (ThreadSlot slot = 0; slot < machine.thread_count(); ++slot)
        if (waits_for(machine.thread(slot), futex, bits)) ++count;
    return count;
}

// In how many ways `chosen` can be taken out of `from`, up to max_combinations.
std::uint64_t combinations(std::uint64_t from, std::uint64_t chosen) {
    if (chosen >= from) return 1;
    if (chosen > from - chosen) chosen = from - chosen;
    std::uint64_t count = 1;
    for (std::uint64_t i = 1; i <= chosen; ++i) {
        count = count * (from - chosen + i) / i;
        if (count >= max_combinations) return max_combinations;
    }
    return count;
}

std::uint64_t at_most(std::int64_t most, std::uint64_t reached) {
    const std::uint64_t wanted = most < 0 ? 0 : static_cast<std::uint64_t>(most);
    return wanted < reached ? wanted : reached;
}

void leave_queue(MachineState& machine, ThreadSlot waiter) {
    ThreadRecord& thread = machine.change(waiter);
    if (thread.waits_on == no_slot) return;
    ObjectRecord& futex = machine.change_object(thread.waits_on);
    if (futex.waiters > 0) --futex.waiters;
    thread.waits_on = no_slot;
}

void wake_up(MachineState& machine, ThreadSlot by, ThreadSlot woken) {
    leave_queue(machine, woken);
    machine.change(woken).signalled = true;
    machine.enable(by, woken);
}

}  // namespace

void operations::futex_enter(const ModelStep& step) { step.object(Kind::futex); }

void operations::state_enter(const ModelStep& step) { step.object(Kind::futex); }

void announcing::futex_wait(MachineState& machine, ThreadSlot thread, Action& action) {
    const ObjectSlot queue = machine.object_slot(action.object);
    ThreadRecord& waiter = machine.change(thread);
    waiter.waits_on = queue;
    waiter.signalled = false;
    ObjectRecord& futex = machine.change_object(queue);
    waiter.ticket = ++futex.tickets;
    ++futex.waiters;
}

std::uint32_t ways::futex_wait(const MachineState& machine, ThreadSlot thread) {
    return machine.thread(thread).signalled ? 1 : 0;
}

void operations::futex_wait(const ModelStep& step) { step.machine.change(step.thread).signalled = false; }

void leaving::futex_wait(const ModelStep& step, Leaving) {
    leave_queue(step.machine, step.thread);
    step.machine.change(step.thread).signalled = false;
}

std::uint32_t ways::futex_wake(const MachineState& machine, ThreadSlot thread) {
    const ThreadRecord& record = machine.thread(thread);
    const std::uint64_t reached = count_reached(machine, record.object, record.pending.wake_bits());
    return static_cast<std::uint32_t>(combinations(reached, at_most(record.pending.most_woken(), reached)));
}

// Wakes the value-th combination of waiters, in the order of arrival.
void operations::futex_wake(const ModelStep& step) {
    MachineState& machine = step.machine;
    step.object(Kind::futex);
    const std::int64_t bits = step.before.pending.wake_bits();
    std::uint64_t value = step.value;
    std::uint64_t left = count_reached(machine, step.before.object, bits);
    std::uint64_t wanted = at_most(step.before.pending.most_woken(), left);
    if (wanted == 0) return fail_with(step.outcome, error::none);
    step.outcome.result = static_cast<std::int64_t>(wanted);
    std::uint32_t ticket = 0;
    for (; wanted > 0; --left) {
        const ThreadSlot next = next_waiter(machine, step.before.object, ticket, bits);
        if (next == no_slot) return;
        ticket = machine.thread(next).ticket;
        const std::uint64_t with_it = combinations(left - 1, wanted - 1);
        if (value < with_it || left == wanted) {
            wake_up(machine, step.thread, next);
            --wanted;
        } else {
            value -= with_it;
        }
    }
}

// The oldest waiters first.
void operations::futex_requeue(const ModelStep& step) {
    MachineState& machine = step.machine;
    const ThreadRecord& before = step.before;
    step.object(Kind::futex);
    machine.use_object(step.thread, before.second, Kind::futex, step.outcome);
    std::int64_t woken = 0, moved = 0;
    const std::int64_t most_moved = before.pending.requeue_moved() & any_bits;
    const std::int64_t reached = (before.pending.requeue_moved() & ~any_bits) | any_bits;
    for (; woken < before.pending.requeue_woken(); ++woken) {
        const ThreadSlot next = next_waiter(machine, before.object, 0, reached);
        if (next == no_slot) break;
        wake_up(machine, step.thread, next);
    }
    for (; moved < most_moved && before.object != before.second; ++moved) {
        const ThreadSlot next = next_waiter(machine, before.object, 0, reached);
        if (next == no_slot) break;
        leave_queue(machine, next);
        ObjectRecord& to = machine.change_object(before.second);
        ThreadRecord& waiter = machine.change(next);
        waiter.object = waiter.waits_on = before.second;
        waiter.ticket = ++to.tickets;
        ++to.waiters;
    }
    step.outcome.result = woken + moved;
}

}  // namespace raddle
