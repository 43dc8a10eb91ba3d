// The machine: the threads and synchronisation objects of one execution, as far as scheduling depends on them. Threads
// announce what they are about to do. The machine says which threads can go on, and in how many ways; it applies the
// action that was chosen, and reports misuse. It neither allocates nor fails: its owner gives it memory.
//
// These rules make partial-order reduction sound:
//   * Only the thread's own past and the objects of its action (see operation.def) decide its next possible steps and
//     their results.
//   * The same holds for the action that it announces: a call has several parts, and the progress of other threads
//     must not decide which of them comes first.
//   * A part of a call that can block on its own is its own action. A condition wait is wait, wake and, after a
//     time-out, relock. The machine announces each when it applies the part before.
//
// Time is virtual. Each thread has its own clock, and time flows along the happens-before edges, so a clock read is a
// function of the thread's past. A thread that waits with a time limit can time out at any moment; while another thread
// could run, that costs a preemption (see cost()).
#pragma once

#include "supervisor/model/kinds.h"

namespace raddle {

enum class Readiness : std::uint8_t {
    blocked,       // another event has to come first
    timeout_only,  // it can only time out
    ready,         // it can take effect
};

struct Alternatives {
    Readiness readiness = Readiness::blocked;
    std::uint32_t count = 0;  // the values 0 … count-1 of a step
};

class Machine : public MachineState {
public:
    explicit Machine(Grow grow, MachineOptions options = {}) : MachineState(grow, options) {}

    void announce(ThreadSlot thread, const Action& action);
    Alternatives alternatives(ThreadSlot thread) const;
    ActionOutcome apply(ThreadSlot thread, std::uint32_t value = 0);

    bool can_run(ThreadSlot slot) const { return alternatives(slot).readiness != Readiness::blocked; }
    bool is_ready(ThreadSlot slot) const { return alternatives(slot).readiness == Readiness::ready; }
    bool any_ready() const;
    // The objects that the pending action may use, whatever its outcome: for races of actions that have not happened.
    std::uint8_t pending_uses(ThreadSlot thread, ObjectUse (&out)[most_uses]) const;
    // The cost of this step in preemptions, if `last` ran before (no_slot: no thread did). One preemption each:
    //   leaving a thread that is ready; a time-out while another thread is ready, or before an earlier deadline; a
    //   spurious wake-up.
    // `never` exceeds every bound: an early time-out of a wait that is longer than the patience.
    std::uint32_t cost(ThreadSlot last, ThreadSlot thread, std::uint32_t value) const;
    static constexpr std::uint32_t never = 1u << 24;
    bool exceeds_patience(ThreadSlot thread) const;  // its cost is `never`
    // Another thread is ready, or would time out before.
    bool times_out_early(ThreadSlot thread) const;
    // The length of its wait, from the beginning; 0 if its deadline was over when it began, or it has none.
    std::uint64_t wait_of(ThreadSlot thread) const {
        const ThreadRecord& record = threads_[thread];
        return can_time_out(record.pending) && record.deadline > record.time ? record.deadline - record.wait_began : 0;
    }
    // At least as long as the patience.
    bool is_long_wait(ThreadSlot thread) const {
        return options_.limits_patience() && wait_of(thread) >= options_.patience;
    }
    // Both threads can only time out, and the first does so before the second.
    bool times_out_before(ThreadSlot first, ThreadSlot second) const;
    Ending ending() const;
    // The thread is about to create one thread more than allowed.
    bool exceeds_threads(ThreadSlot thread) const;

private:
    void note_use(ThreadSlot slot, ActionOutcome& outcome, ObjectSlot object, Mode mode, bool was_contested = false);
    void record_uses_and_time(ThreadSlot slot, const ThreadRecord& before, Guard guard, ActionOutcome& outcome);
    void spread_time(ThreadSlot slot);
    bool acts_on_cancellation(const ThreadRecord& thread) const;
    bool may_time_out(const ThreadRecord& thread) const;
    bool wake_needs_queue(const ThreadRecord& thread) const;
};

}  // namespace raddle
