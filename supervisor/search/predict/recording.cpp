#include "supervisor/search/predict/recording.h"

#include <algorithm>

namespace raddle {

// The last uses of an object.
struct Recording::Uses {
    Position write = nowhere;      // of memory
    Position lifetime = nowhere;   // that began or ended its life
    Position exclusive = nowhere;  // the last use that commutes with no other
    std::vector<Position> others;  // all uses since
};

Recording::Recording(const Track& track)
    : track_(track), size_(std::min(track.size(), most_events)), threads_(track.machine().thread_count()) {
    size_ = static_cast<Position>(std::min<std::size_t>(size_, most_clock_words / std::max(threads_, 1u)));
    positions_.resize(threads_);
    codes_.resize(size_);
    writers_.assign(size_, nowhere);
    sections_.resize(machine().object_count());
    held_begin_.assign(1, 0);
    order_.assign(std::size_t{size_} * threads_, 0);
    need_.assign(std::size_t{size_} * threads_, 0);
    std::vector<std::vector<HeldLock>> held(threads_);
    std::vector<Uses> uses(machine().object_count());
    for (Position i = 0; i < size_; ++i) {
        codes_[i] = code_of(event(i).action);
        positions_[event(i).thread].push_back(i);
        const auto& own = held[event(i).thread];
        held_.insert(held_.end(), own.begin(), own.end());
        held_begin_.push_back(static_cast<std::uint32_t>(held_.size()));
        follow_locks(i, held);
        follow_order(i);
        follow_needs(i, uses);
    }
    for (ObjectSlot object = 0; object < sections_.size(); ++object)
        if (!sections_[object].empty()) locks_.push_back(object);
}

const Action* Recording::next_of(ThreadSlot thread, std::uint32_t done) const {
    if (done < events_of(thread)) return &event(at(thread, done + 1)).action;
    const ThreadRecord& record = machine().thread(thread);
    return !is_shortened() && record.life == Life::announced ? &record.pending : nullptr;
}

bool Recording::holds(Position i, ObjectSlot lock) const {
    const auto locks = held(i);
    return std::any_of(locks.begin(), locks.end(), [lock](const HeldLock& one) { return one.lock == lock; });
}

void Recording::follow_locks(Position i, std::vector<std::vector<HeldLock>>& held) {
    const TrackEvent& event = this->event(i);
    if (event.outcome.effect != Effect::done && event.action.operation != Operation::cond_wake) return;
    std::vector<HeldLock>& own = held[event.thread];
    const auto follow = [&](LockChange change, const ObjectId& object) {
        const ObjectSlot lock = change == LockChange::unchanged ? no_slot : machine().find_object(object);
        if (lock == no_slot || !is_lock(machine().object(lock).kind)) return;
        if (takes_lock(change)) {
            const bool shared = change == LockChange::takes_shared;
            own.push_back({lock, i, shared});
            sections_[lock].push_back({event.thread, i, nowhere, shared});
        }
        if (!gives_lock(change)) return;
        const auto last = std::find_if(own.rbegin(), own.rend(), [&](const HeldLock& one) { return one.lock == lock; });
        if (last == own.rend()) return;
        std::vector<Section>& sections = sections_[lock];
        const auto section = std::find_if(sections.rbegin(), sections.rend(),
                                          [&](const Section& one) { return one.taken == last->since; });
        section->given = i;
        own.erase(std::next(last).base());
    };
    const OperationTraits& what = traits(event.action.operation);
    if (event.outcome.effect == Effect::done) follow(what.lock, event.action.object);
    follow(what.second_lock, event.action.second);
}

void Recording::join(std::vector<std::uint32_t>& clocks, Position i, Position earlier) const {
    if (earlier >= i) return;
    std::uint32_t* const clock = &clocks[std::size_t{i} * threads_];
    const std::uint32_t* const other = &clocks[std::size_t{earlier} * threads_];
    for (ThreadSlot t = 0; t < threads_; ++t) clock[t] = std::max(clock[t], other[t]);
}

void Recording::follow_order(Position i) {
    const TrackEvent& event = this->event(i);
    const auto join_both = [&](Position earlier) {
        join(order_, i, earlier);
        join(need_, i, earlier);
    };
    if (event.previous != nowhere) join_both(event.previous);
    const EventName enabler = event.outcome.enabler;
    if (enabler.number != 0 && enabler.thread < threads_ && enabler.number <= events_of(enabler.thread))
        join_both(at(enabler.thread, enabler.number));
    if (traits(event.action.operation).waits == Wait::thread_end && event.outcome.effect == Effect::done) {
        const ThreadSlot joined = machine().find_thread(thread_of(event.action.object));
        if (joined != no_slot && events_of(joined) > 0) join_both(at(joined, events_of(joined)));
    }
    order_[std::size_t{i} * threads_ + event.thread] = event.number;
    need_[std::size_t{i} * threads_ + event.thread] = event.number;
}

void Recording::follow_needs(Position i, std::vector<Uses>& uses) {
    const TrackEvent& event = this->event(i);
    const OperationTraits& what = traits(event.action.operation);
    for (std::uint8_t a = 0; a < event.outcome.use_count; ++a) {
        const ObjectUse use = event.outcome.uses[a];
        if (use.object >= uses.size()) continue;
        Uses& object = uses[use.object];
        const Kind kind = machine().object(use.object).kind;
        if (object.lifetime != nowhere) join(need_, i, object.lifetime);
        if (kind == Kind::memory) {
            if (what.access != MemoryAccess::no_access) writers_[i] = object.write;
            if (what.access != MemoryAccess::writes && object.write != nowhere) join(need_, i, object.write);
            if (has_written(event)) object.write = i;
            continue;
        }
        if (what.lifetime != Lifetime::unaffected && a == 0) object.lifetime = i;
        // Locks have rules of their own (sync_preserving.h); a post succeeds whatever came before.
        const bool is_free =
            (is_lock(kind) && event.outcome.effect == Effect::done) || event.action.operation == Operation::sem_post;
        if (!is_free) {
            if (object.exclusive != nowhere) join(need_, i, object.exclusive);
            if (use.mode == Mode::exclusive)
                for (const Position other : object.others) join(need_, i, other);
        }
        if (use.mode == Mode::exclusive && !is_free) {
            object.exclusive = i;
            object.others.clear();
        } else if (is_lock(kind)) {
            object.exclusive = i;  // a try that fails sees the last taker
        } else {
            object.others.push_back(i);
        }
    }
}

}  // namespace raddle
