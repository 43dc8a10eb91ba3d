#include "supervisor/trace/track.h"

#include <algorithm>
#include <cstdlib>

#include "supervisor/base/error.h"

namespace raddle {

void* supervisor_memory(void* old, std::size_t, std::size_t new_bytes) {
    if (new_bytes == 0) {
        std::free(old);
        return nullptr;
    }
    void* memory = std::realloc(old, new_bytes);
    CHECK(memory != nullptr);
    return memory;
}

Track::Track(MachineOptions options, bool undoes)
    : machine_(supervisor_memory, options),
      undoes_(undoes),
      by_value_(options.independence == Independence::values),
      semaphores_by_value_(by_value_ && !options.looks_for_races) {
    machine_.keep_journal(undoes_);
}

void Track::start(const Action& first, std::uint32_t since) {
    CHECK(!started_ && size() == 0);
    announce(0, first, since);
    started_ = true;
}

void Track::reset() {
    events_.truncate(0);
    kept_ = 0;
    undos_.truncate(0);
    undo_contents_.clear();
    contents_ = {};
    graph_ = empty_graph;
    machine_.keep_journal(false);
    machine_.reset();
    machine_.keep_journal(undoes_);
    objects_.clear();
    names_.clear();
    lasts_.clear();
    positions_.clear();
    announced_since_.clear();
    started_ = false;
}

void Track::add_thread(ThreadSlot thread) {
    for (ThreadSlot slot = static_cast<ThreadSlot>(names_.size()); slot <= thread; ++slot)
        names_.push_back(hash_of(machine_.thread(slot).id));
    lasts_.resize(names_.size(), nowhere);
    positions_.resize(names_.size());
}

void Track::add_object(ObjectSlot object) {
    for (ObjectSlot slot = static_cast<ObjectSlot>(objects_.size()); slot <= object; ++slot)
        objects_.emplace_back().name = hash_of(machine_.object(slot).id);
}

void Track::widen(std::uint32_t threads, Position rows) {
    std::uint32_t wider = stride_;
    while (wider < threads) wider *= 2;
    clock_words_ = std::max(clock_words_, wider * rows);
    clocks_.reserve(clock_words_);
    for (Position i = rows; i-- > 0;)
        for (std::uint32_t t = wider; t-- > 0;) clocks_[i * wider + t] = t < stride_ ? clocks_[i * stride_ + t] : 0;
    stride_ = wider;
}

void Track::join(TrackEvent& event, std::uint32_t* clock, Position i) const {
    event.since = std::max(event.since, events_[i].since);
    const std::uint32_t* other = clock_at(i);
    for (std::uint32_t t = 0; t < stride_; ++t) clock[t] = std::max(clock[t], other[t]);
}

// The event's clock joins the clocks of its thread's previous event, of its enabling event, and of the uses it depends
// on: those of the group before its own follow all earlier uses.
void Track::compute_clock(TrackEvent& event, Position at) {
    if (machine_.thread_count() > stride_) widen(machine_.thread_count(), at);
    CHECK((std::uint64_t{at} + 1) * stride_ < 1ULL << 32);
    const Position words = (at + 1) * stride_;
    if (clock_words_ < words) clocks_.reserve(clock_words_ = std::max(words, 2 * clock_words_));
    std::uint32_t* clock = clock_at(at);
    event.since = event.announced_since;
    if (event.previous != nowhere) {
        event.since = std::max(event.since, events_[event.previous].since);
        std::copy_n(clock_at(event.previous), stride_, clock);
    } else {
        std::fill_n(clock, stride_, 0);
    }
    const EventName enabler = event.outcome.enabler;
    if (enabler.number != 0 && enabler.thread < positions_.size() &&
        enabler.number <= positions_[enabler.thread].size())
        join(event, clock, position_of(enabler.thread, enabler.number));
    for (std::uint8_t a = 0; a < event.outcome.use_count; ++a) {
        const ObjectUse use = event.outcome.uses[a];
        if (use.object >= objects_.size()) continue;
        const ObjectTrack& object = objects_[use.object];
        const bool joins = commute(object.groups.mode, use.mode);
        const std::size_t end = joins ? object.groups.begin : object.log.size();
        for (std::size_t i = joins ? object.groups.previous : object.groups.begin; i < end; ++i)
            join(event, clock, object.log[i].at);
    }
    clock[event.thread] = event.number;
}

void Track::compute_past(TrackEvent& event, bool was_usable) {
    Hasher hasher;
    hasher.add(names_[event.thread]);
    hasher.add(std::uint64_t{event.number} << 32 | std::uint64_t{event.value} << 16 |
               static_cast<std::uint64_t>(event.action.operation) << 4 |
               static_cast<std::uint64_t>(event.outcome.effect));
    if (event.previous != nowhere) hasher.add(events_[event.previous].past);
    const EventName enabler = event.outcome.enabler;
    if (enabler.number != 0 && enabler.thread < positions_.size() &&
        enabler.number <= positions_[enabler.thread].size())
        hasher.add(1).add(events_[position_of(enabler.thread, enabler.number)].past);
    for (std::uint8_t a = 0; a < event.outcome.use_count; ++a) {
        const ObjectUse use = event.outcome.uses[a];
        if (use.object >= objects_.size()) add_object(use.object);
        const ObjectTrack& object = objects_[use.object];
        hasher.add(object.name + static_cast<std::uint64_t>(use.mode));
        if (sees_value(event.action.operation, use.object)) {
            add_what_was_seen(event, use.object, hasher);
            continue;
        }
        if (sees_only_its_failure(event, a, was_usable)) {
            hasher.add(static_cast<std::uint64_t>(event.outcome.result));
            continue;
        }
        hasher.add(object.pasts_before(use.mode));
    }
    if (by_value_ && event.action.operation == Operation::clock_read)
        hasher.add(static_cast<std::uint64_t>(event.outcome.result));
    event.past = hasher.finish();
}

void Track::note_accesses(const TrackEvent& event, Position at, bool was_usable) {
    for (std::uint8_t a = 0; a < event.outcome.use_count; ++a) {
        const ObjectUse use = event.outcome.uses[a];
        ObjectTrack& object = objects_[use.object];
        if (object.last.size() <= event.thread) object.last.resize(event.thread + 1);
        LastUse& last = object.last[event.thread];
        if (undoes_) *undos_.push() = {use.object, event.thread, last, object.groups};
        Groups& groups = object.groups;
        if (!commute(groups.mode, use.mode)) {
            groups.mode = use.mode;
            groups.previous = groups.begin;
            groups.begin = static_cast<std::uint32_t>(object.log.size());
        }
        if (!sees_only_its_failure(event, a, was_usable)) {
            if (!commute(groups.mode_of_pasts, use.mode)) {
                groups.mode_of_pasts = use.mode;
                groups.previous_pasts = groups.pasts;
                groups.pasts = {};
            }
            groups.pasts += event.past;
        }
        object.log.push_back({at, use.mode});
        last.set(use.mode, at);
        if (by_value_) note_content(use.object);
    }
}

// ---- by value

bool Track::has_value(ObjectSlot object) const {
    if (!by_value_) return false;
    const ObjectRecord& record = machine_.object(object);
    if (record.state != ObjectState::live) return false;
    return (record.kind == Kind::semaphore && semaphores_by_value_) || (record.kind == Kind::memory && !record.flag);
}

// A futex wait reads its word itself, maybe before the machine knows a value of it.
bool Track::sees_value(Operation operation, ObjectSlot object) const {
    const bool is_told =
        traits(operation).kind == machine_.object(object).kind || objects_[object].last_write() != Hash128{};
    return is_told && has_value(object);
}

// The object is one of the action's kind, or was never used.
bool Track::is_usable(const Action& action, ObjectSlot slot) const {
    if (!by_value_ || slot == no_slot) return false;
    const ObjectRecord& object = machine_.object(slot);
    return object.state == ObjectState::unknown ||
           (object.state == ObjectState::live && object.kind == traits(action.operation).kind);
}

// A try that failed, or a signal without a waiter: it changed nothing, and learned nothing but that.
bool Track::sees_only_its_failure(const TrackEvent& event, std::uint8_t use, bool was_usable) const {
    if (!by_value_ || !was_usable || use > 0 || event.outcome.effect != Effect::failed) return false;
    const OperationTraits& what = traits(event.action.operation);
    // The shim sends a signal after such a wake, whether or not the thread sleeps: the order of the two queues matters.
    if (event.action.object.space() == Space::tool) return false;
    switch (what.kind) {
        case Kind::mutex:
        case Kind::spin:
        case Kind::rwlock:
        case Kind::condition:
        case Kind::futex: return event.outcome.uses[0].mode == Mode::shared;
        default: return false;
    }
}

// A write sees nothing: the overwritten value does not matter.
void Track::add_what_was_seen(const TrackEvent& event, ObjectSlot object, Hasher& hasher) const {
    if (machine_.object(object).kind == Kind::semaphore) {
        hasher.add(static_cast<std::uint64_t>(event.outcome.result));
        return;
    }
    switch (traits(event.action.operation).access) {
        case MemoryAccess::writes: return;
        case MemoryAccess::reads:
        case MemoryAccess::updates: hasher.add(static_cast<std::uint64_t>(event.outcome.result)); return;
        case MemoryAccess::no_access: hasher.add(static_cast<std::uint64_t>(machine_.object(object).value)); return;
    }
}

void Track::note_content(ObjectSlot slot) {
    ObjectTrack& object = objects_[slot];
    const ObjectRecord& record = machine_.object(slot);
    if (undoes_) undo_contents_.push_back(object.content);
    contents_ ^= object.content;
    object.content = {};
    if (record.kind == Kind::semaphore)
        object.content = Hasher()
                             .add(object.name)
                             .add(std::uint64_t{record.count} << 8 | static_cast<std::uint64_t>(record.state))
                             .finish();
    else if (has_value(slot))
        object.content = Hasher()
                             .add(object.name)
                             .add(static_cast<std::uint64_t>(record.value))
                             .add(std::uint64_t{record.limit} << 1 | (object.last_write() == Hash128{} ? 0 : 1))
                             .finish();
    else if (record.kind == Kind::memory)
        object.content = Hasher().add(object.name).add(object.last_write()).finish();
    contents_ ^= object.content;
}

Hash128 Track::node_by_value() const {
    Hash128 node = graph_ ^ contents_;
    if (!time_matters_) return node;
    for (ThreadSlot slot = 0; slot < machine_.thread_count(); ++slot) {
        const ThreadRecord& thread = machine_.thread(slot);
        const std::uint64_t name = slot < names_.size() ? names_[slot] : hash_of(thread.id);
        node ^= Hasher()
                    .add(name)
                    .add(thread.time)
                    .add(thread.deadline)
                    .add(thread.wait_began)
                    .add(thread.woken_at)
                    .add(thread.released_at)
                    .finish();
    }
    for (ObjectSlot slot = 0; slot < machine_.object_count(); ++slot) {
        const ObjectRecord& object = machine_.object(slot);
        node ^= Hasher()
                    .add(hash_of(object.id))
                    .add(object.exclusive_time)
                    .add(object.shared_time)
                    .add(object.counts_time)
                    .finish();
    }
    return node;
}

const TrackEvent& Track::push(ThreadSlot thread, std::uint32_t value) {
    const Position at = size();
    TrackEvent& event = *events_.push();
    event = {};
    event.thread = thread;
    event.value = value;
    event.mark = machine_.mark();
    event.undo = undos_.size();
    event.graph_before = graph_;
    event.action = machine_.thread(thread).pending;
    event.ways = machine_.alternatives(thread).count;
    event.announced_since = thread < announced_since_.size() ? announced_since_[thread] : 0;
    const bool was_usable = is_usable(event.action, machine_.thread(thread).object);
    event.outcome = machine_.apply(thread, value);
    event.number = machine_.thread(thread).events;
    if (thread >= names_.size()) add_thread(thread);
    event.previous = lasts_[thread];
    const bool runs_on = at > 0 && events_[at - 1].thread == thread && event.outcome.effect != Effect::timed_out;
    event.block = runs_on ? events_[at - 1].block : at;
    const bool joins = traits(event.action.operation).waits == Wait::thread_end && event.outcome.effect == Effect::done;
    event.join = joins ? at : runs_on ? events_[at - 1].join : nowhere;
    compute_clock(event, at);
    compute_past(event, was_usable);
    note_accesses(event, at, was_usable);
    lasts_[thread] = at;
    positions_[thread].push_back(at);
    graph_ ^= event.past;
    return event;
}

void Track::pop() {
    CHECK(undoes_);
    const TrackEvent& event = events_[size() - 1];
    while (undos_.size() > event.undo) {
        const Undo& undo = undos_[undos_.size() - 1];
        ObjectTrack& object = objects_[undo.object];
        object.last[undo.thread] = undo.last;
        object.log.pop_back();
        object.groups = undo.groups;
        if (by_value_) {
            contents_ ^= object.content ^ undo_contents_.back();
            object.content = undo_contents_.back();
            undo_contents_.pop_back();
        }
        undos_.truncate(undos_.size() - 1);
    }
    lasts_[event.thread] = event.previous;
    note_since(event.thread, event.announced_since);
    positions_[event.thread].pop_back();
    graph_ = event.graph_before;
    machine_.rewind(event.mark);
    events_.truncate(size() - 1);
    kept_ = std::min(kept_, size());
}

}  // namespace raddle
