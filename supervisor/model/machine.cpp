#include "supervisor/model/machine.h"

#include "supervisor/model/interruption.h"
#include "supervisor/model/kinds.h"

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
    make_live(threads_[main].self, Kind::thread, 0);  // as a creation does for the others: it can be joined and detached
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
// Time does not wrap: what would be later than all time is then.
std::uint64_t later(std::uint64_t time, std::uint64_t length) {
    return time + length < time ? ~std::uint64_t{0} : time + length;
}
}  // namespace

void Machine::announce(ThreadSlot slot, const Action& action) {
    Action first = action;
    if (action.operation == Operation::thread_exit && threads_[slot].robust_held > 0) {
        if (const ObjectSlot newest = mutexes::newest_robust_held(*this, slot); newest != no_slot) {
            first.operation = Operation::owner_died;
            first.object = objects_[newest].id;
            first.flags = 0;
        }
    }
    if (action.operation == Operation::rwlock_wrlock && (action.attributes & attribute::prefer_writers) != 0)
        first.operation = Operation::rwlock_request;
    if (action.operation == Operation::rwlock_rdunlock || action.operation == Operation::rwlock_wrunlock) {
        const bool writes = rwlocks::believes_to_write(*this, slot, action.object);
        first.operation = writes ? Operation::rwlock_wrunlock : Operation::rwlock_rdunlock;
    }
    set_pending(slot, first);
    if (first.operation == Operation::futex_wait) futexes::stand_in_queue(*this, slot);
}

void Machine::set_pending(ThreadSlot slot, const Action& action) {
    const OperationTraits& what = traits(action.operation);
    ObjectSlot object = no_slot;
    if (action.operation == Operation::thread_cancel)
        object = object_slot(cancel_object(thread_of(action.object)));
    else if (what.on_object || action.operation == Operation::barrier_leave)
        object = object_slot(action.object);
    const bool has_second = what.second != Mode::none && (what.kind != Kind::descriptor || action.second.region != 0);
    const ObjectSlot second = !has_second                                       ? no_slot
                              : action.operation == Operation::thread_cancel ? object_slot(action.object)
                                                                                : object_slot(action.second);
    const bool cancellable =
        (action.flags & flag::cancellable) != 0 || action.operation == Operation::thread_testcancel;
    const ObjectSlot mark = cancellable ? object_slot(cancel_object(threads_[slot].id)) : no_slot;

    ThreadRecord& thread = change(slot);
    thread.pending = action;
    thread.object = what.on_self ? thread.self : object;
    thread.second = second;
    if (cancellable) thread.cancel_mark = mark;
    thread.life = Life::announced;
    thread.deadline = (action.flags & flag::absolute) != 0 ? action.timeout : later(thread.time, action.timeout);
}

void Machine::follow_up(ThreadSlot slot, const Action& action, ActionOutcome& outcome) {
    outcome.continues = true;
    set_pending(slot, action);
}

void Machine::enable(ThreadSlot by, ThreadSlot enabled) {
    change(enabled).enabler = {by, threads_[by].events};
    enabled_others_ = true;
}

// ---- who can go on

namespace {

std::uint32_t regular(const Machine& machine, ThreadSlot slot) {
    switch (traits(machine.thread(slot).pending.operation).kind) {
        case Kind::none: return 0;
        case Kind::thread: return threads::regular(machine, slot);
        case Kind::mutex: return mutexes::regular(machine, slot);
        case Kind::spin: return spin_locks::regular(machine, slot);
        case Kind::rwlock: return rwlocks::regular(machine, slot);
        case Kind::condition: return conditions::regular(machine, slot);
        case Kind::semaphore: return semaphores::regular(machine, slot);
        case Kind::barrier: return barriers::regular(machine, slot);
        case Kind::once: return onces::regular(machine, slot);
        case Kind::memory: return memories::regular(machine, slot);
        case Kind::timer: return timers::regular(machine, slot);
        case Kind::descriptor: return descriptors::regular(machine, slot);
        case Kind::process: return processes::regular(machine, slot);
        case Kind::futex: return futexes::regular(machine, slot);
    }
    return 0;
}

void apply_regular(Machine& machine, ThreadSlot slot, const ThreadRecord& before, std::uint32_t value, ActionOutcome& out) {
    switch (traits(before.pending.operation).kind) {
        case Kind::none: break;
        case Kind::thread: threads::apply(machine, slot, before, value, out); break;
        case Kind::mutex: mutexes::apply(machine, slot, before, value, out); break;
        case Kind::spin: spin_locks::apply(machine, slot, before, value, out); break;
        case Kind::rwlock: rwlocks::apply(machine, slot, before, value, out); break;
        case Kind::condition: conditions::apply(machine, slot, before, value, out); break;
        case Kind::semaphore: semaphores::apply(machine, slot, before, value, out); break;
        case Kind::barrier: barriers::apply(machine, slot, before, value, out); break;
        case Kind::once: onces::apply(machine, slot, before, value, out); break;
        case Kind::memory: memories::apply(machine, slot, before, value, out); break;
        case Kind::timer: timers::apply(machine, slot, before, value, out); break;
        case Kind::descriptor: descriptors::apply(machine, slot, before, value, out); break;
        case Kind::process: processes::apply(machine, slot, before, value, out); break;
        case Kind::futex: futexes::apply(machine, slot, before, value, out); break;
    }
}

void apply_timeout(Machine& machine, ThreadSlot slot, const ThreadRecord& before, ActionOutcome& out) {
    out.effect = Effect::timed_out;
    out.result = error::timed_out;
    if (before.pending.operation == Operation::cond_wake) conditions::time_out(machine, slot, before, out);
    if (before.pending.operation == Operation::futex_wait) futexes::give_up(machine, slot);
    if (traits(before.pending.operation).kind == Kind::rwlock) rwlocks::time_out(machine, slot, before, out);
    if (traits(before.pending.operation).kind == Kind::timer) out.result = error::none;
}

bool is_cancelled(const ThreadRecord& thread, const ObjectRecord& mark) {
    return mark.flag && !thread.cancelled && (thread.pending.flags & flag::uncancellable) == 0;
}

bool is_interrupted(const ThreadRecord& thread, const ObjectRecord& mark) {
    return (thread.pending.flags & flag::interruptible) != 0 && mark.count != mark.tickets;
}

// It leaves its wait, to come back to it.
void interrupt(Machine& machine, ThreadSlot slot, const ThreadRecord& before, ActionOutcome& out) {
    out.result = error::interrupted;
    ObjectRecord& mark = machine.change_object(before.cancel_mark);
    mark.tickets = mark.count;
    if (before.pending.operation == Operation::futex_wait) futexes::give_up(machine, slot);
    if (traits(before.pending.operation).kind == Kind::rwlock) rwlocks::time_out(machine, slot, before, out);
}

void cancel(Machine& machine, ThreadSlot slot, const ThreadRecord& before, ActionOutcome& out) {
    if (before.pending.operation == Operation::cond_wake)
        conditions::cancel(machine, slot, before, out);
    else
        out.cancels = true;
    if (before.pending.operation == Operation::futex_wait) futexes::give_up(machine, slot);
}

}  // namespace

// Or on a signal, which is left in the same way.
bool Machine::acts_on_cancellation(const ThreadRecord& thread) const {
    if (thread.pending.operation == Operation::thread_testcancel) return false;  // it is ready in any case
    if ((thread.pending.flags & flag::cancellable) == 0) return false;
    const ObjectRecord& mark = objects_[thread.cancel_mark];
    if (!is_cancelled(thread, mark) && !is_interrupted(thread, mark)) return false;
    switch (thread.pending.operation) {
        case Operation::cond_wait: return false;  // the wait acts on it once it is in the queue
        case Operation::cond_wake: return !thread.signalled;
        default: return true;
    }
}

bool Machine::may_time_out(const ThreadRecord& thread) const {
    if (!can_time_out(thread.pending) || objects_[process_].flag) return false;
    return thread.pending.operation != Operation::cond_wake || !thread.signalled;
}

Alternatives Machine::alternatives(ThreadSlot slot) const {
    const ThreadRecord& thread = threads_[slot];
    if (thread.life != Life::announced) return {};
    if (acts_on_cancellation(thread)) return {Readiness::ready, 1};
    if (const std::uint32_t ways = regular(*this, slot); ways > 0) return {Readiness::ready, ways};
    if (may_time_out(thread)) return {Readiness::timeout_only, 1};
    return {};
}

bool Machine::any_ready() const {
    for (ThreadSlot slot = 0; slot < threads_.size(); ++slot)
        if (is_ready(slot)) return true;
    return false;
}

// Strictly: where deadlines are the same, names decide, so that there is one thread whose time runs out first.
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
        if (readiness == Readiness::ready || (readiness == Readiness::timeout_only && times_out_before(other, slot))) return true;
    }
    return false;
}

bool Machine::exceeds_patience(ThreadSlot slot) const {
    return wait_of(slot) >= options_.patience && alternatives(slot).readiness == Readiness::timeout_only && times_out_early(slot);
}

bool Machine::failed() const {
    for (ThreadSlot slot = 0; slot < threads_.size(); ++slot)
        if (threads_[slot].failed) return true;
    return false;
}

Ending Machine::ending() const {
    bool all_ended = true, somebody_spins = false;
    for (ThreadSlot slot = 0; slot < threads_.size(); ++slot) {
        if (can_run(slot) || threads_[slot].life == Life::running) return Ending::running;
        if (threads_[slot].life != Life::announced) continue;
        all_ended = false;
        somebody_spins |= spins(threads_[slot].pending);
    }
    if (failed()) return Ending::failed;
    if (objects_[process_].flag) return Ending::exited;
    return all_ended ? Ending::finished : somebody_spins ? Ending::livelock : Ending::deadlock;
}

// ---- applying

namespace {
// What others let happen, once it is announced. Who left a condition's queue for a while may have something else pending.
bool has_enabler(Operation operation) {
    return operation == Operation::thread_start || operation == Operation::cond_wake ||
           operation == Operation::futex_wait || operation == Operation::barrier_leave;
}
}  // namespace

ActionOutcome Machine::apply(ThreadSlot slot, std::uint32_t value) {
    ActionOutcome outcome;
    const bool cancels = acts_on_cancellation(threads_[slot]);
    const bool regular_way = !cancels && regular(*this, slot) > 0;
    const ThreadRecord before = change(slot);
    {
        ThreadRecord& thread = threads_[slot];
        if (has_enabler(before.pending.operation)) {
            outcome.enabler = thread.enabler;
            thread.enabler = {};
        }
        thread.life = Life::running;
        ++thread.events;
    }
    enabled_others_ = false;
    if (cancels) {
        outcome.effect = Effect::cancelled;
        if (is_cancelled(before, objects_[before.cancel_mark]))
            cancel(*this, slot, before, outcome);
        else
            interrupt(*this, slot, before, outcome);
    } else if (regular_way) {
        apply_regular(*this, slot, before, value, outcome);
    } else {
        apply_timeout(*this, slot, before, outcome);
    }
    if (outcome.cancels) change(slot).cancelled = true;
    record_uses_and_time(slot, before, outcome);
    if (outcome.misuse != Misuse::none && threads_[slot].misuse == Misuse::none) change(slot).misuse = outcome.misuse;
    return outcome;
}

namespace {
bool waits_in_queue(const Action& action) {
    return action.operation == Operation::cond_wake || action.operation == Operation::futex_wait;
}
}  // namespace

namespace {
constexpr std::size_t row_of(Independence independence) { return independence == Independence::plain ? 0 : 1; }

bool may_be_cancelled(const ThreadRecord& thread) {
    if ((thread.pending.flags & flag::interruptible) != 0) return true;
    return (thread.pending.flags & flag::cancellable) != 0 && !thread.cancelled;
}
}  // namespace

bool Machine::wake_needs_queue(const ThreadRecord& thread) const {
    // A signalled thread has left the queue; only where it could also have timed out or been cancelled does the order
    // against the condition's other operations say something.
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

// What the event touched, and how time flowed. The thread's record was journalled by apply().
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
        case Effect::timed_out:
            note_use(slot, outcome, before.object, what.failed[relation]);
            break;
        case Effect::cancelled:
            // What it would have touched decided whether it could have taken effect before it was cancelled.
            note_use(slot, outcome, before.object, is_wake ? Mode::exclusive : what.failed[relation]);
            break;
    }
    for (std::uint32_t i = 0; i < reads_awaited(action); ++i) note_use(slot, outcome, before.last_reads[i].object, Mode::shared);
    if ((action.flags & flag::cancellable) != 0 || action.operation == Operation::thread_testcancel)
        note_use(slot, outcome, before.cancel_mark, Mode::shared);
    // Whether it could have run out of time, had it not taken effect, depends on the process.
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
        thread.deadline = later(thread.time, thread.pending.timeout);
    if (enabled_others_) spread_time(slot);
}

void Machine::spread_time(ThreadSlot by) {
    const std::uint64_t time = threads_[by].time;
    for (ThreadSlot other = 0; other < threads_.size(); ++other) {
        const EventName enabler = threads_[other].enabler;
        if (enabler.thread == by && enabler.number == threads_[by].events && threads_[other].time < time)
            change(other).time = time;
    }
}

std::uint8_t Machine::pending_uses(ThreadSlot slot, ObjectUse (&out)[4]) const {
    const ThreadRecord& thread = threads_[slot];
    if (thread.life != Life::announced) return 0;
    const OperationTraits& what = traits(thread.pending.operation);
    const Mode mode = what.done[row_of(options_.independence)];
    std::uint8_t count = 0;
    // A waiter that nobody woke, and that cannot leave by itself, does nothing to the queue. One that can be cancelled
    // may leave it, whether or not it was told to by now: what is said here must not grow by what others do.
    const bool is_wake = waits_in_queue(thread.pending);
    const bool leaves_queue = !is_wake || (thread.signalled ? wake_needs_queue(thread)
                                                            : can_time_out(thread.pending) || may_be_cancelled(thread));
    for (std::uint32_t i = 0; i < reads_awaited(thread.pending); ++i)
        if (thread.last_reads[i].object != no_slot) out[count++] = {thread.last_reads[i].object, Mode::shared};
    if (mode != Mode::none && leaves_queue) out[count++] = {thread.object, mode};
    if (what.second != Mode::none && thread.second != no_slot) out[count++] = {thread.second, what.second};
    if ((thread.pending.flags & flag::cancellable) != 0 || thread.pending.operation == Operation::thread_testcancel)
        out[count++] = {thread.cancel_mark, Mode::shared};
    if (can_time_out(thread.pending)) out[count++] = {process_, Mode::shared};
    return count;
}

// ---- what the owner tells

void Machine::set_descriptor(ObjectSlot slot, std::uint32_t readable, std::uint32_t writable) {
    if (live_object(*this, slot, Kind::descriptor) == nullptr) make_live(slot, Kind::descriptor, 0);
    ObjectRecord& object = change_object(slot);
    object.count = readable;
    object.limit = writable;
    object.waiters = 1;  // somebody watches it
}

ObjectSlot Machine::forget(const ObjectId& from, const ObjectId& to) {
    ObjectSlot in_use = no_slot;
    for (ObjectSlot slot = 0; slot < objects_.size(); ++slot) {
        const ObjectRecord& object = objects_[slot];
        if (object.id.region != from.region || object.id.offset < from.offset || object.id.offset >= to.offset) continue;
        const bool counts_users = object.kind == Kind::rwlock || object.kind == Kind::barrier;
        if ((object.state == ObjectState::live || object.state == ObjectState::revived) &&
            (object.owner != no_slot || object.waiters > 0 || (counts_users && object.count > 0)))
            in_use = slot;
        if (object.state != ObjectState::unknown) change_object(slot).state = ObjectState::unknown;
    }
    return in_use;
}

void initialise(Machine& machine, ObjectSlot slot, Kind kind, const Action& action, bool in_use, ActionOutcome& outcome) {
    if (in_use) report(outcome, Misuse::init_in_use);
    machine.make_live(slot, kind, action.attributes);
}

void destroy(Machine& machine, ThreadSlot thread, ObjectSlot slot, Kind kind, Misuse in_use, ActionOutcome& outcome) {
    machine.use_object(thread, slot, kind, outcome);
    report(outcome, in_use);
    machine.change_object(slot).state = ObjectState::destroyed;
}

}  // namespace raddle
