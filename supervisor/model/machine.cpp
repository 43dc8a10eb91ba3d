#include "supervisor/model/machine.h"

#include "supervisor/model/dispatch.h"
#include "supervisor/model/interruption.h"

namespace raddle {

Machine::Machine(Grow grow, MachineOptions options)
    : options_(options), threads_(grow), objects_(grow), journal_(grow) {
    reset();
}

Machine::~Machine() = default;

void Machine::reset() {
    threads_.clear();
    objects_.clear();
    journal_.truncate(0);
    out_of_memory_ = false;
    process_ = object_slot(process_object());
    make_live(process_, Kind::process, 0);
    const ThreadSlot main = slot_of(main_thread);
    threads_[main].life = Life::running;
    make_live(threads_[main].self, Kind::thread, 0);  // main can be joined and detached too
    objects_[threads_[main].self].owner = main;
    journal_.truncate(0);
}

ThreadSlot Machine::slot_of(ThreadId thread) {
    if (const ThreadSlot known = threads_.find(thread); known != no_slot) return known;
    const ObjectSlot self = object_slot(thread_object(thread));
    const ThreadSlot slot = threads_.find_or_add(thread);
    if (slot == no_slot) {
        out_of_memory_ = true;
        return 0;
    }
    threads_[slot].self = self;
    return slot;
}

ObjectSlot Machine::object_slot(const ObjectId& id) {
    const ObjectSlot slot = objects_.find_or_add(id);
    if (slot != no_slot) return slot;
    out_of_memory_ = true;
    return 0;
}

ThreadRecord& Machine::change(ThreadSlot slot) {
    ThreadRecord& thread = threads_[slot];
    if (journalling_ && thread.journalled != marks_) {
        if (JournalEntry* entry = journal_.push()) {
            entry->slot = slot;
            entry->is_thread = true;
            entry->thread = thread;
        } else {
            out_of_memory_ = true;
        }
        thread.journalled = marks_;
    }
    return thread;
}

ObjectRecord& Machine::change_object(ObjectSlot slot) {
    ObjectRecord& object = objects_[slot];
    if (journalling_ && object.journalled != marks_) {
        if (JournalEntry* entry = journal_.push()) {
            entry->slot = slot;
            entry->is_thread = false;
            entry->object = object;
        } else {
            out_of_memory_ = true;
        }
        object.journalled = marks_;
    }
    return object;
}

void Machine::rewind(Mark mark) {
    while (journal_.size() > mark) {
        const JournalEntry& entry = journal_[journal_.size() - 1];
        if (entry.is_thread)
            threads_[entry.slot] = entry.thread;
        else
            objects_[entry.slot] = entry.object;
        journal_.truncate(journal_.size() - 1);
    }
}

void Machine::make_live(ObjectSlot slot, Kind kind, std::uint8_t attributes) {
    ObjectRecord& object = change_object(slot);
    ObjectRecord fresh;
    fresh.id = object.id;
    fresh.kind = kind;
    fresh.state = ObjectState::live;
    fresh.attributes = attributes;
    fresh.exclusive_time = object.exclusive_time;
    fresh.any_time = object.any_time;
    fresh.journalled = object.journalled;
    object = fresh;
}

ObjectRecord& Machine::use_object(ThreadSlot thread, ObjectSlot slot, Kind kind, ActionOutcome& outcome) {
    const bool was_live = live_object(*this, slot, kind) != nullptr;
    const bool was_destroyed = objects_[slot].kind == kind && (objects_[slot].state == ObjectState::destroyed ||
                                                               objects_[slot].state == ObjectState::revived);
    if (was_destroyed) report(outcome, Misuse::use_after_destroy);
    if (!was_live) make_live(slot, kind, threads_[thread].pending.attributes);
    ObjectRecord& object = change_object(slot);
    if (was_destroyed) object.state = ObjectState::revived;
    return object;
}

// ---- announcing

namespace {
// Time does not wrap: it stops at its largest value.
std::uint64_t later(std::uint64_t time, std::uint64_t length) {
    return time + length < time ? ~std::uint64_t{0} : time + length;
}
}  // namespace

namespace {
// It reads the thread's cancellation mark.
bool uses_cancel_mark(const Action& action) {
    return (action.flags & flag::cancellable) != 0 || action.operation == Operation::thread_testcancel;
}
}  // namespace

void Machine::announce(ThreadSlot slot, const Action& action) {
    if (!traits(action.operation).has_announce) return set_pending(slot, action);
    Action first = action;
    prepare_to_announce(*this, slot, first);
    set_pending(slot, first);
}

void Machine::set_pending(ThreadSlot slot, const Action& action) {
    const OperationTraits& what = traits(action.operation);
    ObjectSlot object = no_slot, second = no_slot;
    switch (what.object) {
        case FirstObject::none: break;
        case FirstObject::object: object = object_slot(action.object); break;
        case FirstObject::self: object = threads_[slot].self; break;
        case FirstObject::mark: object = object_slot(cancel_object(thread_of(action.object))); break;
        case FirstObject::process: object = process_; break;
    }
    if (what.object == FirstObject::mark)
        second = object_slot(action.object);  // the thread itself
    else if (what.second != Mode::none && (what.kind != Kind::descriptor || action.second.region != 0))
        second = object_slot(action.second);
    const bool has_mark = uses_cancel_mark(action);
    const ObjectSlot mark = has_mark ? object_slot(cancel_object(threads_[slot].id)) : no_slot;

    ThreadRecord& thread = change(slot);
    thread.pending = action;
    thread.object = object;
    thread.second = second;
    if (has_mark) thread.cancel_mark = mark;
    thread.life = Life::announced;
    // Accesses to memory have no time limit, and nobody reads their deadline.
    thread.deadline =
        (action.flags & flag::absolute) != 0 ? action.limit_or_initial : later(thread.time, action.limit_or_initial);
}

void Machine::follow_up(ThreadSlot slot, const Action& action, ActionOutcome& outcome) {
    outcome.continues = true;
    set_pending(slot, action);
}

void Machine::enable(ThreadSlot by, ThreadSlot enabled) {
    change(enabled).enabler = {by, threads_[by].events};
    enabled_others_ = true;
}

void Machine::release(ThreadSlot by, ThreadSlot released) {
    change(released).releaser = {by, threads_[by].events};
    change(released).released = true;
    enabled_others_ = true;
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

// The thread leaves its wait, and comes back later.
void interrupt(const ModelStep& step) {
    step.outcome.result = error::interrupted;
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
        case Operation::cond_wait: return false;          // the thread acts on it when it is in the queue
        case Operation::cond_wake: return !thread.signalled;
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
    return wait_of(slot) >= options_.patience ? never : preempts + 1;
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
    return wait_of(slot) >= options_.patience && alternatives(slot).readiness == Readiness::timeout_only &&
           times_out_early(slot);
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

bool may_be_cancelled(const ThreadRecord& thread) {
    if ((thread.pending.flags & flag::interruptible) != 0) return true;
    return (thread.pending.flags & flag::cancellable) != 0 && !thread.cancelled;
}

}  // namespace

ActionOutcome Machine::apply(ThreadSlot slot, std::uint32_t value) {
    ActionOutcome outcome;
    const bool cancels = acts_on_cancellation(threads_[slot]);
    const bool takes_effect = !cancels && ways_of(*this, slot) > 0;
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
        if (is_cancelled(before, objects_[before.cancel_mark]))
            cancel(step);
        else
            interrupt(step);
    } else if (takes_effect) {
        carry_out(step);
    } else {
        time_out(step);
    }
    if (outcome.cancels) change(slot).cancelled = true;
    record_uses_and_time(slot, before, outcome);
    if (outcome.misuse != Misuse::none && threads_[slot].misuse == Misuse::none) change(slot).misuse = outcome.misuse;
    return outcome;
}

bool Machine::wake_needs_queue(const ThreadRecord& thread) const {
    // A signalled thread has left the queue. Its order with other operations on the condition only matters if the
    // thread could also have timed out or been cancelled.
    return options_.independence == Independence::plain || !thread.signalled || can_time_out(thread.pending) ||
           (thread.pending.flags & flag::cancellable) != 0;
}

void Machine::note_use(ThreadSlot slot, ActionOutcome& outcome, ObjectSlot object, Mode mode) {
    if (mode == Mode::none || object == no_slot) return;
    outcome.uses[outcome.use_count++] = {object, mode};
    const ObjectRecord& record = objects_[object];
    const std::uint64_t seen = mode == Mode::exclusive ? record.any_time : record.exclusive_time;
    if (seen > threads_[slot].time) threads_[slot].time = seen;
}

// Which objects the event used, and what time it is then. apply() has put the thread's record into the journal.
void Machine::record_uses_and_time(ThreadSlot slot, const ThreadRecord& before, ActionOutcome& outcome) {
    const Action& action = before.pending;
    const OperationTraits& what = traits(action.operation);
    const auto relation = row_of(options_.independence);
    const bool is_wake = waits_in_queue(action);
    switch (outcome.effect) {
        case Effect::done:
            if (!is_wake || wake_needs_queue(before)) note_use(slot, outcome, before.object, what.done[relation]);
            note_use(slot, outcome, before.second, what.second);
            break;
        case Effect::failed:
            note_use(slot, outcome, before.object, what.failed[relation]);
            note_use(slot, outcome, before.second, what.second);
            break;
        case Effect::timed_out: note_use(slot, outcome, before.object, what.failed[relation]); break;
        case Effect::cancelled:
            // These objects decided whether the action could take effect before it was cancelled.
            note_use(slot, outcome, before.object, is_wake ? Mode::exclusive : what.failed[relation]);
            break;
    }
    for (std::uint32_t i = 0; i < reads_awaited(action); ++i)
        note_use(slot, outcome, before.last_reads[i].object, Mode::shared);
    if (uses_cancel_mark(action)) note_use(slot, outcome, before.cancel_mark, Mode::shared);
    // The process decides whether the action could have timed out instead.
    if (can_time_out(action)) note_use(slot, outcome, process_, Mode::shared);

    ThreadRecord& thread = threads_[slot];
    if (outcome.effect == Effect::timed_out && before.deadline > thread.time) thread.time = before.deadline;
    thread.time = later(thread.time, 1);
    for (std::uint8_t i = 0; i < outcome.use_count; ++i) {
        ObjectRecord& object = change_object(outcome.uses[i].object);
        if (thread.time > object.any_time) object.any_time = thread.time;
        if (outcome.uses[i].mode == Mode::exclusive) object.exclusive_time = thread.time;
    }
    if (outcome.continues && (thread.pending.flags & flag::absolute) == 0)
        thread.deadline = later(thread.time, thread.pending.limit_or_initial);
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

std::uint8_t Machine::pending_uses(ThreadSlot slot, ObjectUse (&out)[4]) const {
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
    for (std::uint32_t i = 0; i < reads_awaited(thread.pending); ++i)
        if (thread.last_reads[i].object != no_slot) out[count++] = {thread.last_reads[i].object, Mode::shared};
    if (mode != Mode::none && leaves_queue) out[count++] = {thread.object, mode};
    if (what.second != Mode::none && thread.second != no_slot) out[count++] = {thread.second, what.second};
    if (uses_cancel_mark(thread.pending)) out[count++] = {thread.cancel_mark, Mode::shared};
    if (can_time_out(thread.pending)) out[count++] = {process_, Mode::shared};
    return count;
}

// ---- reports of the owner

void Machine::set_descriptor(ObjectSlot slot, std::uint32_t readable, std::uint32_t writable) {
    if (live_object(*this, slot, Kind::descriptor) == nullptr) make_live(slot, Kind::descriptor, 0);
    ObjectRecord& object = change_object(slot);
    object.count = readable;
    object.limit = writable;
    object.waiters = 1;  // its amounts are reported
}

ObjectSlot Machine::forget(const ObjectId& from, const ObjectId& to) {
    ObjectSlot in_use = no_slot;
    for (ObjectSlot slot = 0; slot < objects_.size(); ++slot) {
        const ObjectRecord& object = objects_[slot];
        if (object.id.region != from.region || object.id.offset < from.offset || object.id.offset >= to.offset)
            continue;
        const bool counts_users = object.kind == Kind::rwlock || object.kind == Kind::barrier;
        if ((object.state == ObjectState::live || object.state == ObjectState::revived) &&
            (object.owner != no_slot || object.waiters > 0 || (counts_users && object.count > 0)))
            in_use = slot;
        if (object.state != ObjectState::unknown) change_object(slot).state = ObjectState::unknown;
    }
    return in_use;
}

void initialise(const ModelStep& step, Kind kind, bool in_use) {
    if (in_use) report(step.outcome, Misuse::init_in_use);
    step.machine.make_live(step.before.object, kind, step.before.pending.attributes);
}

void destroy(const ModelStep& step, Kind kind, Misuse in_use) {
    step.object(kind);
    report(step.outcome, in_use);
    step.machine.change_object(step.before.object).state = ObjectState::destroyed;
}

}  // namespace raddle
