// Futexes: queues of threads, each belonging to a word of the target's memory. The machine does not know the word; the
// thread compares it itself. A wait is two actions: enter opens the queue to the thread, whose code then looks at the word
// and, if it is as expected, announces the wait: by announcing it, it stands in the queue. Nobody acts between an action
// and the next announcement of the same thread, so comparing and queueing are one step, as in the kernel.
// waiters: the length of the queue; tickets: given out in it. A wait's argument2 is its bitset; a wake's and a
// requeue's argument is how many to wake at most, a wake's argument2 the bits it reaches, a requeue's how many to move.
#include "supervisor/model/kinds.h"

namespace raddle::futexes {

namespace {

constexpr std::uint64_t most_ways = 1 << 16;
constexpr std::int64_t any_bits = 0xffffffff;

// The thread reached by these bits that came next after this ticket.
ThreadSlot next_waiter(const Machine& machine, ObjectSlot futex, std::uint32_t after, std::int64_t bits) {
    ThreadSlot found = no_slot;
    for (ThreadSlot slot = 0; slot < machine.thread_count(); ++slot) {
        const ThreadRecord& thread = machine.thread(slot);
        if (thread.waits_on != futex || thread.ticket <= after || (thread.pending.argument2 & bits) == 0) continue;
        if (found == no_slot || thread.ticket < machine.thread(found).ticket) found = slot;
    }
    return found;
}

std::uint64_t count_reached(const Machine& machine, ObjectSlot futex, std::int64_t bits) {
    std::uint64_t count = 0;
    for (ThreadSlot slot = 0; slot < machine.thread_count(); ++slot) {
        const ThreadRecord& thread = machine.thread(slot);
        if (thread.waits_on == futex && (thread.pending.argument2 & bits) != 0) ++count;
    }
    return count;
}

// In how many ways `chosen` can be taken of `from`; what is beyond most_ways is left out.
std::uint64_t ways(std::uint64_t from, std::uint64_t chosen) {
    if (chosen >= from) return 1;
    if (chosen > from - chosen) chosen = from - chosen;
    std::uint64_t count = 1;
    for (std::uint64_t i = 1; i <= chosen; ++i) {
        count = count * (from - chosen + i) / i;
        if (count >= most_ways) return most_ways;
    }
    return count;
}

std::uint64_t at_most(std::int64_t argument, std::uint64_t reached) {
    const std::uint64_t wanted = argument < 0 ? 0 : static_cast<std::uint64_t>(argument);
    return wanted < reached ? wanted : reached;
}

void leave_queue(Machine& machine, ThreadSlot waiter) {
    ThreadRecord& thread = machine.change(waiter);
    if (thread.waits_on == no_slot) return;
    ObjectRecord& futex = machine.change_object(thread.waits_on);
    if (futex.waiters > 0) --futex.waiters;
    thread.waits_on = no_slot;
}

void wake_up(Machine& machine, ThreadSlot by, ThreadSlot woken) {
    leave_queue(machine, woken);
    machine.change(woken).signalled = true;
    machine.enable(by, woken);
}

// The value-th of the ways to choose, in the order of arrival.
void wake(Machine& machine, ThreadSlot thread, const ThreadRecord& before, std::uint64_t value, ActionOutcome& outcome) {
    const std::int64_t bits = before.pending.argument2;
    std::uint64_t left = count_reached(machine, before.object, bits);
    std::uint64_t wanted = at_most(before.pending.argument, left);
    if (wanted == 0) return fail_with(outcome, error::none);
    outcome.result = static_cast<std::int64_t>(wanted);
    std::uint32_t ticket = 0;
    for (; wanted > 0; --left) {
        const ThreadSlot next = next_waiter(machine, before.object, ticket, bits);
        if (next == no_slot) return;
        ticket = machine.thread(next).ticket;
        const std::uint64_t with_it = ways(left - 1, wanted - 1);
        if (value < with_it || left == wanted) {
            wake_up(machine, thread, next);
            --wanted;
        } else {
            value -= with_it;
        }
    }
}

// Oldest first.
void requeue(Machine& machine, ThreadSlot thread, const ThreadRecord& before, ActionOutcome& outcome) {
    machine.use_object(thread, before.second, Kind::futex, outcome);
    std::int64_t woken = 0, moved = 0;
    for (; woken < before.pending.argument; ++woken) {
        const ThreadSlot next = next_waiter(machine, before.object, 0, any_bits);
        if (next == no_slot) break;
        wake_up(machine, thread, next);
    }
    for (; moved < before.pending.argument2 && before.object != before.second; ++moved) {
        const ThreadSlot next = next_waiter(machine, before.object, 0, any_bits);
        if (next == no_slot) break;
        leave_queue(machine, next);
        ObjectRecord& to = machine.change_object(before.second);
        ThreadRecord& waiter = machine.change(next);
        waiter.object = waiter.waits_on = before.second;
        waiter.ticket = ++to.tickets;
        ++to.waiters;
    }
    outcome.result = woken + moved;
}

}  // namespace

void stand_in_queue(Machine& machine, ThreadSlot thread) {
    ThreadRecord& waiter = machine.change(thread);
    waiter.waits_on = waiter.object;
    waiter.signalled = false;
    ObjectRecord& futex = machine.change_object(waiter.object);
    waiter.ticket = ++futex.tickets;
    ++futex.waiters;
}

std::uint32_t regular(const Machine& machine, ThreadSlot thread) {
    const ThreadRecord& record = machine.thread(thread);
    switch (record.pending.operation) {
        case Operation::futex_wait: return record.signalled ? 1 : 0;
        case Operation::futex_wake: {
            const std::uint64_t reached = count_reached(machine, record.object, record.pending.argument2);
            return static_cast<std::uint32_t>(ways(reached, at_most(record.pending.argument, reached)));
        }
        default: return 1;
    }
}

void apply(Machine& machine, ThreadSlot thread, const ThreadRecord& before, std::uint32_t value, ActionOutcome& outcome) {
    switch (before.pending.operation) {
        case Operation::futex_enter:
            machine.use_object(thread, before.object, Kind::futex, outcome);
            return;
        case Operation::futex_wait: machine.change(thread).signalled = false; return;
        case Operation::futex_wake:
            machine.use_object(thread, before.object, Kind::futex, outcome);
            return wake(machine, thread, before, value, outcome);
        case Operation::futex_requeue:
            machine.use_object(thread, before.object, Kind::futex, outcome);
            return requeue(machine, thread, before, outcome);
        default: return;
    }
}

void give_up(Machine& machine, ThreadSlot thread) {
    leave_queue(machine, thread);
    machine.change(thread).signalled = false;
}

}  // namespace raddle::futexes
