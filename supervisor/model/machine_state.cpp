#include "supervisor/model/machine_state.h"

namespace raddle {

MachineState::MachineState(Grow grow, MachineOptions options)
    : options_(options), threads_(grow), objects_(grow), journal_(grow), reads_(grow) {
    reset();
}

void MachineState::reset() {
    threads_.clear();
    objects_.clear();
    journal_.truncate(0);
    reads_.truncate(0);
    out_of_memory_ = false;
    process_ = object_slot(process_object());
    make_live(process_, Kind::process, 0);
    const ThreadSlot main = slot_of(main_thread);
    threads_[main].life = Life::running;
    make_live(threads_[main].self, Kind::thread, 0);  // main can be joined and detached too
    objects_[threads_[main].self].owner = main;
    journal_.truncate(0);
}

ThreadSlot MachineState::slot_of(ThreadId thread) {
    if (const ThreadSlot known = threads_.find(thread); known != no_slot) return known;
    const ObjectSlot self = object_slot(thread_object(thread));
    const ThreadSlot slot = threads_.find_or_add(thread);
    if (slot == no_slot) {
        out_of_memory_ = true;
        if (threads_[0].self == no_slot) threads_[0].self = self;  // there is no thread at all
        return 0;
    }
    threads_[slot].self = self;
    return slot;
}

ObjectSlot MachineState::object_slot(const ObjectId& id) {
    const ObjectSlot slot = objects_.find_or_add(id);
    if (slot != no_slot) return slot;
    out_of_memory_ = true;
    return 0;
}

void MachineState::keep_old(ThreadSlot slot, ThreadRecord& thread) {
    if (JournalEntry* entry = journal_.push()) {
        entry->slot = slot;
        entry->is_thread = true;
        entry->thread = thread;
    } else {
        out_of_memory_ = true;
    }
    thread.journalled = marks_;
}

void MachineState::keep_old(ObjectSlot slot, ObjectRecord& object) {
    if (JournalEntry* entry = journal_.push()) {
        entry->slot = slot;
        entry->is_thread = false;
        entry->object = object;
    } else {
        out_of_memory_ = true;
    }
    object.journalled = marks_;
}

// The reads of one thread from its read `last` back to the one after `kept`. All later reads of any thread are undone,
// too.
void MachineState::forget_reads(std::uint32_t last, std::uint32_t kept) {
    while (last != kept) {
        if (last <= reads_.size()) reads_.truncate(last - 1);
        last = reads_[last - 1].previous;
    }
}

void MachineState::rewind(Mark mark) {
    while (journal_.size() > mark) {
        const JournalEntry& entry = journal_[journal_.size() - 1];
        if (entry.is_thread) {
            forget_reads(threads_[entry.slot].last_read, entry.thread.last_read);
            threads_[entry.slot] = entry.thread;
        } else {
            objects_[entry.slot] = entry.object;
        }
        journal_.truncate(journal_.size() - 1);
    }
}

void MachineState::note_read(ThreadSlot slot, const VariableRead& read) {
    ThreadRecord& thread = change(slot);
    VariableRead* const note = reads_.push();
    if (note == nullptr) {
        out_of_memory_ = true;
        return;
    }
    *note = read;
    note->previous = thread.last_read;
    thread.last_read = reads_.size();
}

std::uint32_t MachineState::last_variables(ThreadSlot slot, std::uint32_t most,
                                           VariableRead (&out)[max_last_reads]) const {
    std::uint32_t count = 0;
    for (std::uint32_t number = threads_[slot].last_read; number != 0 && count < most;) {
        const VariableRead& read = reads_[number - 1];
        number = read.previous;
        bool is_known = false;
        for (std::uint32_t i = 0; i < count; ++i) is_known = is_known || out[i].object == read.object;
        if (!is_known) out[count++] = read;
    }
    return count;
}

void MachineState::make_live(ObjectSlot slot, Kind kind, std::uint8_t attributes) {
    ObjectRecord& object = change_object(slot);
    ObjectRecord fresh;
    fresh.id = object.id;
    fresh.kind = kind;
    fresh.state = ObjectState::live;
    fresh.attributes = attributes;
    fresh.exclusive_time = object.exclusive_time;
    fresh.shared_time = object.shared_time;
    fresh.counts_time = object.counts_time;
    fresh.any_time = object.any_time;
    fresh.journalled = object.journalled;
    object = fresh;
}

ObjectRecord& MachineState::use_object(ThreadSlot thread, ObjectSlot slot, Kind kind, ActionOutcome& outcome) {
    const bool was_live = live_object(*this, slot, kind) != nullptr;
    const bool was_destroyed = objects_[slot].kind == kind && (objects_[slot].state == ObjectState::destroyed ||
                                                               objects_[slot].state == ObjectState::revived);
    if (was_destroyed) report(outcome, Misuse::use_after_destroy);
    if (!was_live) make_live(slot, kind, threads_[thread].pending.attributes);
    ObjectRecord& object = change_object(slot);
    if (was_destroyed) object.state = ObjectState::revived;
    return object;
}

void MachineState::set_pending(ThreadSlot slot, const Action& action) {
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
    if (can_time_out(action)) set_deadline(thread);
}

// A wait for a predicate is often one wait after the other until one point in time: that is one wait.
void MachineState::set_deadline(ThreadRecord& thread) {
    const bool is_absolute = (thread.pending.flags & flag::absolute) != 0;
    const std::uint64_t limit = thread.pending.limit_or_initial;
    const std::uint64_t deadline = is_absolute ? limit : later(thread.time, limit);
    if (!is_absolute || deadline != thread.deadline) thread.wait_began = thread.time;
    thread.deadline = deadline;
}

void MachineState::follow_up(ThreadSlot slot, const Action& action, ActionOutcome& outcome) {
    outcome.continues = true;
    // The call does not move out of the focus, or into it.
    Action next = action;
    const Flags inside = threads_[slot].pending.flags & flag::inside;
    next.flags = static_cast<Flags>((next.flags & ~flag::inside) | inside);
    set_pending(slot, next);
}

void MachineState::enable(ThreadSlot by, ThreadSlot enabled) {
    change(enabled).enabler = {by, threads_[by].events};
    enabled_others_ = true;
}

void MachineState::release(ThreadSlot by, ThreadSlot released) {
    change(released).releaser = {by, threads_[by].events};
    change(released).released = true;
    enabled_others_ = true;
}

void MachineState::set_descriptor(ObjectSlot slot, std::uint32_t readable, std::uint32_t writable) {
    if (live_object(*this, slot, Kind::descriptor) == nullptr) make_live(slot, Kind::descriptor, 0);
    ObjectRecord& object = change_object(slot);
    object.count = readable;
    object.limit = writable;
    object.waiters = 1;  // its amounts are reported
}

ObjectSlot MachineState::forget(const ObjectId& from, const ObjectId& to) {
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

}  // namespace raddle
