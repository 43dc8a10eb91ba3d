#include "supervisor/search/directed/digest.h"

#include <algorithm>

#include "supervisor/base/hash.h"
#include "supervisor/model/update.h"

namespace raddle {

namespace {

// As many bytes of the value as the access has.
std::uint64_t masked(const Action& action, std::uint64_t value) {
    return value & mask_of_bytes(width_of(action.attributes));
}

}  // namespace

void Digest::read(const Track& track) {
    track_ = &track;
    size_ = std::min(track.size(), most_events);
    const std::uint32_t threads = track.machine().thread_count();
    constexpr std::size_t most_clock_words = std::size_t{16} << 20;
    threads_ = std::size_t{size_} * threads <= most_clock_words ? threads : 0;
    codes_.assign(size_, 0);
    lock_hashes_.assign(size_, 0);
    held_.clear();
    held_begin_.assign(1, 0);
    clocks_.assign(std::size_t{size_} * threads_, 0);
    before_.assign(size_, {});
    after_.assign(size_, {});
    contents_.assign(track.machine().object_count(), {});
    std::vector<std::vector<HeldLock>> held(threads);
    for (Position i = 0; i < size_; ++i) {
        codes_[i] = code_of(event(i).action);
        for (const HeldLock& lock : held[event(i).thread]) {
            held_.push_back(lock);
            lock_hashes_[i] += mix64(lock.lock + std::uint64_t{1});
        }
        held_begin_.push_back(static_cast<std::uint32_t>(held_.size()));
        follow_locks(i, held);
        if (threads_ != 0) follow_order(i);
        if (traits(event(i).action.operation).access != MemoryAccess::no_access) follow_value(i);
    }
}

void Digest::follow_locks(Position i, std::vector<std::vector<HeldLock>>& held) {
    const Action& action = event(i).action;
    if (event(i).outcome.effect != Effect::done) return;
    std::vector<HeldLock>& own = held[event(i).thread];
    const OperationTraits& what = traits(action.operation);
    const auto follow = [&](LockChange change, const ObjectId& object) {
        if (takes_lock(change)) own.push_back({slot_of(object), i, change == LockChange::takes_shared});
        if (!gives_lock(change)) return;
        const ObjectSlot lock = slot_of(object);
        const auto last = std::find_if(own.rbegin(), own.rend(), [&](const HeldLock& one) { return one.lock == lock; });
        if (last != own.rend()) own.erase(std::next(last).base());
    };
    follow(what.lock, action.object);
    follow(what.second_lock, action.second);
}

ObjectSlot Digest::taken_by(Position i) const {
    const Action& action = event(i).action;
    if (event(i).outcome.effect != Effect::done) return no_slot;
    return takes_lock(traits(action.operation).lock) ? slot_of(action.object) : no_slot;
}

void Digest::follow_order(Position i) {
    std::uint32_t* const clock = &clocks_[std::size_t{i} * threads_];
    const auto join = [&](Position earlier) {
        if (earlier >= i) return;
        const std::uint32_t* const other = &clocks_[std::size_t{earlier} * threads_];
        for (std::uint32_t t = 0; t < threads_; ++t) clock[t] = std::max(clock[t], other[t]);
    };
    const TrackEvent& event = this->event(i);
    if (event.previous != nowhere) join(event.previous);
    if (event.outcome.enabler.number != 0)
        join(track_->position_of(event.outcome.enabler.thread, event.outcome.enabler.number));
    if (traits(event.action.operation).waits == Wait::thread_end && event.outcome.effect == Effect::done) {
        const ThreadSlot joined = track_->machine().find_thread(thread_of(event.action.object));
        if (joined != no_slot && track_->last_of(joined) != nowhere) join(track_->last_of(joined));
    }
    clock[event.thread] = event.number;
}

bool Digest::must_precede(Position i, Position j) const {
    const TrackEvent& first = event(i);
    if (first.thread == event(j).thread) return i < j;
    return threads_ != 0 && clocks_[std::size_t{j} * threads_ + first.thread] >= first.number;
}

void Digest::follow_value(Position i) {
    const Action& action = event(i).action;
    const ObjectSlot object = slot_of(action.object);
    if (object >= contents_.size() || (action.flags & flag::contents_unknown) != 0) return;
    std::optional<std::uint64_t>& value = contents_[object];
    if (!value || (action.attributes & attribute::memory::replaces_value) != 0) value = action.initial_value();
    const bool done = event(i).outcome.effect == Effect::done;
    switch (traits(action.operation).access) {
        case MemoryAccess::reads: value = static_cast<std::uint64_t>(event(i).outcome.result); break;
        case MemoryAccess::writes: break;
        case MemoryAccess::updates: break;
        case MemoryAccess::no_access: return;
    }
    before_[i] = value;
    if (action.operation == Operation::memory_write) value = masked(action, static_cast<std::uint64_t>(action.value()));
    if (action.operation == Operation::memory_update && done)
        value = masked(action, updated(action.update, *value, static_cast<std::uint64_t>(action.value())));
    if (action.operation == Operation::memory_exchange && done)
        value = masked(action, static_cast<std::uint64_t>(action.desired()));
    after_[i] = value;
}

std::vector<Digest::Group> Digest::groups_of(ObjectSlot object) const {
    std::vector<Group> groups;
    for (const Track::UsedAt& use : track_->uses_of(object)) {
        if (use.at >= size_) break;
        const auto same = [&](const Group& group) {
            return group.code == codes_[use.at] && group.locks == lock_hashes_[use.at] && group.mode == use.mode;
        };
        auto group = std::find_if(groups.begin(), groups.end(), same);
        if (group == groups.end()) {
            if (groups.size() == most_groups) continue;
            group = groups.insert(groups.end(), {codes_[use.at], lock_hashes_[use.at], use.mode, {}});
        }
        group->at.push_back(use.at);
    }
    return groups;
}

}  // namespace raddle
