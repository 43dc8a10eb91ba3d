#include "supervisor/model/machine.h"

#include "supervisor/model/dispatch.h"
#include "supervisor/model/interruption.h"

namespace raddle {

void Machine::announce(ThreadSlot slot, const Action& action) {
    if (!traits(action.operation).has_announce) return set_pending(slot, action);
    Action first = action;
    prepare_to_announce(*this, slot, first);
    set_pending(slot, first);
}

// ---- threads that can go on

namespace {

void time_out(const ModelStep& step) {
    step.outcome.effect = Effect::timed_out;
    const bool only_waits_for_time = traits(step.before.pending.operation).waits == Wait::time;
    step.outcome.result = only_waits_for_time ? error::none : error::timed_out;
    leave_wait(step, Leaving::timed_out);
}

bool is_cancelled(const ThreadRecord& thread, const ObjectRecord& mark) {
    return mark.flag && !thread.cancelled && (thread.pending.flags & flag::uncancellable) == 0;
}

bool is_interrupted(const ThreadRecord& thread, const ObjectRecord& mark) {
    return (thread.pending.flags & flag::interruptible) != 0 && mark.count != mark.tickets;
}

// It is through with its wait for a condition, whoever holds the mutex.
bool is_woken(const ThreadRecord& thread) {
    return thread.pending.operation == Operation::cond_wake && thread.signalled;
}

// The thread leaves its wait, and comes back later.
void interrupt(const ModelStep& step, bool could_go_on) {
    step.outcome.result = could_go_on ? error::interrupted_in_time : error::interrupted;
    ObjectRecord& mark = step.machine.change_object(step.before.cancel_mark);
    mark.tickets = mark.count;
    leave_wait(step, Leaving::interrupted);
}

void cancel(const ModelStep& step) {
    step.outcome.cancels = true;
    leave_wait(step, Leaving::cancelled);
}

}  // namespace

// On its cancellation, or on a signal.
bool Machine::acts_on_cancellation(const ThreadRecord& thread) const {
    if ((thread.pending.flags & flag::cancellable) == 0) return false;
    const ObjectRecord& mark = objects_[thread.cancel_mark];
    if (!is_cancelled(thread, mark) && !is_interrupted(thread, mark)) return false;
    switch (thread.pending.operation) {
        case Operation::thread_testcancel: return false;  // it takes effect in any case
        case Operation::cond_wait:
            return false;  // the thread acts on it when it is in the queue
        // A signalled one may wait for the mutex, and its handlers can run meanwhile. Its cancellation is up to it.
        case Operation::cond_wake: return !thread.signalled || is_interrupted(thread, mark);
        // As in the kernel, a thread that was woken returns, even if a signal came, too.
        case Operation::barrier_await: return !thread.released;
        case Operation::futex_wait: return !thread.signalled || is_cancelled(thread, mark);
        default: return true;
    }
}

bool Machine::may_time_out(const ThreadRecord& thread) const {
    if (!can_time_out(thread.pending) || process_has_ended()) return false;
    return thread.pending.operation != Operation::cond_wake || !thread.signalled;
}

Alternatives Machine::alternatives(ThreadSlot slot) const {
    const ThreadRecord& thread = threads_[slot];
    if (thread.life != Life::announced) return {};
    if (acts_on_cancellation(thread)) return {Readiness::ready, 1};
    if (const std::uint32_t ways = ways_of(*this, slot); ways > 0) return {Readiness::ready, ways};
    if (may_time_out(thread)) return {Readiness::timeout_only, 1};
    return {};
}

bool Machine::any_ready() const {
    for (ThreadSlot slot = 0; slot < threads_.size(); ++slot)
        if (is_ready(slot)) return true;
    return false;
}

// A strict order: names decide between equal deadlines, so exactly one thread times out first.
bool Machine::times_out_before(ThreadSlot a, ThreadSlot b) const {
    const ThreadRecord& first = threads_[a];
    const ThreadRecord& second = threads_[b];
    return first.deadline != second.deadline ? first.deadline < second.deadline : first.id < second.id;
}

std::uint32_t Machine::cost(ThreadSlot last, ThreadSlot slot, std::uint32_t value) const {
    const std::uint32_t preempts = last != no_slot && last != slot && is_ready(last) ? 1 : 0;
    if (alternatives(slot).readiness == Readiness::ready) {
        const bool spurious = threads_[slot].pending.operation == Operation::cond_wait && value > 0;
        return preempts + (spurious ? 1 : 0);
    }
    if (!times_out_early(slot)) return preempts;
    return is_long_wait(slot) ? never : preempts + 1;
}

bool Machine::times_out_early(ThreadSlot slot) const {
    for (ThreadSlot other = 0; other < threads_.size(); ++other) {
        const Readiness readiness = alternatives(other).readiness;
        if (readiness == Readiness::ready || (readiness == Readiness::timeout_only && times_out_before(other, slot)))
            return true;
    }
    return false;
}

bool Machine::exceeds_patience(ThreadSlot slot) const {
    return is_long_wait(slot) && alternatives(slot).readiness == Readiness::timeout_only && times_out_early(slot);
}

bool Machine::exceeds_threads(ThreadSlot slot) const {
    if (options_.max_threads == 0 || threads_[slot].pending.operation != Operation::thread_create) return false;
    std::uint32_t born = 0;
    for (ThreadSlot other = 0; other < threads_.size(); ++other) born += threads_[other].life != Life::unborn ? 1 : 0;
    return born >= options_.max_threads;
}

Ending Machine::ending() const {
    bool all_ended = true, somebody_spins = false;
    for (ThreadSlot slot = 0; slot < threads_.size(); ++slot) {
        if (can_run(slot) || threads_[slot].life == Life::running) return Ending::running;
        if (threads_[slot].life != Life::announced) continue;
        all_ended = false;
        somebody_spins |= spins(threads_[slot].pending);
    }
    if (process_has_ended()) return how_process_ended();
    return all_ended ? Ending::finished : somebody_spins ? Ending::livelock : Ending::deadlock;
}

// ---- applying

namespace {

// Another thread's event makes it possible, after it was announced. A thread that left the queue of a condition for a
// while may have something else pending, so that event, and its time, count only once the thread goes on.
EventName take_enabler(ThreadRecord& thread, Wait waits) {
    const bool is_created_or_woken = waits == Wait::creation || waits == Wait::wake_up;
    if (!is_created_or_woken && waits != Wait::arrivals) return {};
    EventName& kept = is_created_or_woken ? thread.enabler : thread.releaser;
    std::uint64_t& kept_time = is_created_or_woken ? thread.woken_at : thread.released_at;
    const EventName taken = kept;
    if (kept_time > thread.time) thread.time = kept_time;
    kept = {};
    kept_time = 0;
    return taken;
}

bool waits_in_queue(const Action& action) { return traits(action.operation).waits == Wait::wake_up; }

constexpr std::size_t row_of(Independence independence) { return independence == Independence::plain ? 0 : 1; }

// The time of the last use that does not commute with one in this mode.
std::uint64_t time_before(const ObjectRecord& object, Mode mode) {
    if (mode == Mode::exclusive) return object.any_time;
    const std::uint64_t other = mode == Mode::shared ? object.counts_time : object.shared_time;
    return other > object.exclusive_time ? other : object.exclusive_time;
}

std::uint64_t& time_of(ObjectRecord& object, Mode mode) {
    return mode == Mode::exclusive ? object.exclusive_time
           : mode == Mode::shared  ? object.shared_time
                                   : object.counts_time;
}

bool may_be_cancelled(const ThreadRecord& thread) {
    if ((thread.pending.flags & flag::interruptible) != 0) return true;
    return (thread.pending.flags & flag::cancellable) != 0 && !thread.cancelled;
}

}  // namespace

ActionOutcome Machine::apply(ThreadSlot slot, std::uint32_t value) {
    ActionOutcome outcome;
    const bool cancels = acts_on_cancellation(threads_[slot]);
    const bool could_go_on = ways_of(*this, slot) > 0;
    const bool takes_effect = !cancels && could_go_on;
    const bool is_plain = options_.independence == Independence::plain;
    const Guard guard = takes_effect && !is_plain ? guard_of(*this, slot) : Guard::fails;
    const ThreadRecord before = change(slot);
    {
        ThreadRecord& thread = threads_[slot];
        outcome.enabler = take_enabler(thread, traits(before.pending.operation).waits);
        thread.life = Life::running;
        ++thread.events;
    }
    enabled_others_ = false;
    const ModelStep step{*this, slot, before, value, outcome};
    if (cancels) {
        outcome.effect = Effect::cancelled;
        if (!is_woken(before) && is_cancelled(before, objects_[before.cancel_mark]))
            cancel(step);
        else
            interrupt(step, is_woken(before) || could_go_on);
    } else if (takes_effect) {
        carry_out(step);
    } else {
        time_out(step);
    }
    if (outcome.cancels) change(slot).cancelled = true;
    record_uses_and_time(slot, before, guard, outcome);
    if (outcome.misuse != Misuse::none && threads_[slot].misuse == Misuse::none) change(slot).misuse = outcome.misuse;
    return outcome;
}

bool Machine::wake_needs_queue(const ThreadRecord& thread) const {
    // A signalled thread has left the queue. Its order with other operations on the condition only matters if the
    // thread could also have timed out or been cancelled.
    return options_.independence == Independence::plain || !thread.signalled || can_time_out(thread.pending) ||
           (thread.pending.flags & flag::cancellable) != 0;
}

void Machine::note_use(ThreadSlot slot, ActionOutcome& outcome, ObjectSlot object, Mode mode, bool was_contested) {
    if (mode == Mode::none || object == no_slot) return;
    outcome.uses[outcome.use_count++] = {object, mode, was_contested};
    const std::uint64_t seen = time_before(objects_[object], mode);
    if (seen > threads_[slot].time) threads_[slot].time = seen;
}

// Which objects the event used, and what time it is then. apply() has put the thread's record into the journal.
void Machine::record_uses_and_time(ThreadSlot slot, const ThreadRecord& before, Guard guard, ActionOutcome& outcome) {
    const Action& action = before.pending;
    const OperationTraits& what = traits(action.operation);
    const auto relation = row_of(options_.independence);
    const bool is_wake = waits_in_queue(action);
    switch (outcome.effect) {
        case Effect::done:
            if (guard != Guard::fails)
                note_use(slot, outcome, before.object, what.guarded, guard == Guard::holds_for_one);
            else if (!is_wake || wake_needs_queue(before))
                note_use(slot, outcome, before.object, what.done[relation]);
            note_use(slot, outcome, before.second, what.second);
            break;
        case Effect::failed:
            note_use(slot, outcome, before.object, what.failed[relation]);
            note_use(slot, outcome, before.second, what.second);
            break;
        case Effect::timed_out: note_use(slot, outcome, before.object, what.failed[relation]); break;
        case Effect::cancelled:
            // These objects decided whether the action could take effect before it was cancelled. Searches rely on it:
            // an action that comes earlier in another execution uses no further object there.
            note_use(slot, outcome, before.object, is_wake ? Mode::exclusive : what.failed[relation]);
            if (is_woken(before)) note_use(slot, outcome, before.second, what.second);
            break;
    }
    if (const std::uint32_t awaited = reads_awaited(action); awaited != 0) {
        VariableRead reads[max_last_reads];
        const std::uint32_t count = last_variables(slot, awaited, reads);
        for (std::uint32_t i = 0; i < count; ++i) note_use(slot, outcome, reads[i].object, Mode::shared);
    }
    if (uses_cancel_mark(action)) note_use(slot, outcome, before.cancel_mark, Mode::shared);
    // The process decides whether the action could have timed out instead.
    if (can_time_out(action)) note_use(slot, outcome, process_, Mode::shared);

    ThreadRecord& thread = threads_[slot];
    if (outcome.effect == Effect::timed_out && before.deadline > thread.time) thread.time = before.deadline;
    thread.time = later(thread.time, 1);
    for (std::uint8_t i = 0; i < outcome.use_count; ++i) {
        ObjectRecord& object = change_object(outcome.uses[i].object);
        if (thread.time > object.any_time) object.any_time = thread.time;
        std::uint64_t& last = time_of(object, outcome.uses[i].mode);
        if (thread.time > last) last = thread.time;
    }
    if (outcome.continues && can_time_out(thread.pending)) set_deadline(thread);
    if (enabled_others_) spread_time(slot);
}

void Machine::spread_time(ThreadSlot by) {
    const std::uint64_t time = threads_[by].time;
    for (ThreadSlot other = 0; other < threads_.size(); ++other) {
        const EventName now{by, threads_[by].events};
        if (threads_[other].enabler == now) change(other).woken_at = time;
        if (threads_[other].releaser == now) change(other).released_at = time;
    }
}

std::uint8_t Machine::pending_uses(ThreadSlot slot, ObjectUse (&out)[most_uses]) const {
    const ThreadRecord& thread = threads_[slot];
    if (thread.life != Life::announced) return 0;
    const OperationTraits& what = traits(thread.pending.operation);
    const Mode mode = what.done[row_of(options_.independence)];
    std::uint8_t count = 0;
    // A waiter that nobody woke, and that cannot leave by itself, does nothing to the queue. A waiter that can be
    // cancelled may leave it, even if no cancellation has come yet: actions of other threads must not add uses here.
    const bool is_wake = waits_in_queue(thread.pending);
    const bool leaves_queue = !is_wake || (thread.signalled ? wake_needs_queue(thread)
                                                            : can_time_out(thread.pending) || may_be_cancelled(thread));
    if (const std::uint32_t awaited = reads_awaited(thread.pending); awaited != 0) {
        VariableRead reads[max_last_reads];
        const std::uint32_t known = last_variables(slot, awaited, reads);
        for (std::uint32_t i = 0; i < known; ++i) out[count++] = {reads[i].object, Mode::shared};
    }
    if (mode != Mode::none && leaves_queue) out[count++] = {thread.object, mode};
    if (what.second != Mode::none && thread.second != no_slot) out[count++] = {thread.second, what.second};
    if (uses_cancel_mark(thread.pending)) out[count++] = {thread.cancel_mark, Mode::shared};
    if (can_time_out(thread.pending)) out[count++] = {process_, Mode::shared};
    return count;
}

}  // namespace raddle
