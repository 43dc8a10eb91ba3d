#include "supervisor/trace/race_clocks.h"

#include <algorithm>

#include "supervisor/model/extent.h"
#include "supervisor/model/kinds.h"

namespace raddle {

namespace {

bool accesses_plainly(const Action& action) {
    const MemoryAccess access = traits(action.operation).access;
    return access == MemoryAccess::reads || access == MemoryAccess::writes;
}
bool only_reads(const Action& action) {
    return traits(action.operation).access == MemoryAccess::reads || reads_second(action);
}
bool may_race(const Action& a, const Action& b) {
    if (only_reads(a) && only_reads(b)) return false;
    return reads_second(a) || reads_second(b) || extent_of(a).overlaps(extent_of(b));
}

// Copies rows of width `from` into rows of width `to`.
std::vector<std::uint32_t> widened(const std::vector<std::uint32_t>& rows, std::size_t from, std::size_t to) {
    std::vector<std::uint32_t> wide(rows.size() / from * to, 0);
    for (std::size_t row = 0; row < rows.size() / from; ++row)
        std::copy_n(rows.begin() + static_cast<std::ptrdiff_t>(row * from), from,
                    wide.begin() + static_cast<std::ptrdiff_t>(row * to));
    return wide;
}

}  // namespace

void RaceClocks::widen(std::uint32_t threads) {
    std::uint32_t wider = stride_;
    while (wider < threads) wider *= 2;
    for (std::vector<std::uint32_t>* rows : {&clocks_, &released_, &saved_}) *rows = widened(*rows, stride_, wider);
    stride_ = wider;
}

RaceClocks::Number RaceClocks::number_of(const ObjectId& object) {
    const auto [known, fresh] = numbers_.try_emplace(object, static_cast<Number>(objects_.size()));
    if (fresh) {
        objects_.emplace_back();
        released_.resize(objects_.size() * rows_ * stride_, 0);
    }
    return known->second;
}

void RaceClocks::add_atomic(const ObjectId& variable) {
    Object& object = objects_[number_of(variable)];
    if (object.is_atomic) return;
    go_back(0);
    object.is_atomic = true;
    atomics_.push_back(variable);
}

void RaceClocks::follow() {
    const Position at = size();
    const TrackEvent& event = track_[at];
    marks_.push_back({saved_rows_.size(), access_undos_.size(), unordered_.size()});
    if (track_.machine().thread_count() > stride_) widen(track_.machine().thread_count());
    clocks_.resize((std::size_t{at} + 1) * stride_);
    clock_ = &clocks_[std::size_t{at} * stride_];
    if (event.previous != nowhere)
        std::copy_n(&clocks_[std::size_t{event.previous} * stride_], stride_, clock_);
    else
        std::fill_n(clock_, stride_, 0);
    if (const EventName enabler = event.outcome.enabler; enabler.number != 0) {
        const std::uint32_t* other =
            &clocks_[std::size_t{track_.position_of(enabler.thread, enabler.number)} * stride_];
        for (std::uint32_t t = 0; t < stride_; ++t) clock_[t] = std::max(clock_[t], other[t]);
    }
    clock_[event.thread] = event.number;
    if (event.outcome.effect == Effect::cancelled || event.outcome.cancels)
        acquire(number_of(cancel_object(track_.machine().thread(event.thread).id)), by_owners);
    // A later access is a misuse, which the machine reports. By calls alone, only its order is of interest.
    if (is_freeing(event.action) && ordering_ != Ordering::by_calls) return;
    const bool is_access = traits(event.action.operation).access != MemoryAccess::no_access;
    if (is_access && ordering_ == Ordering::by_calls) return look_for_races(event, at, number_of(event.action.object));
    if (reads_second(event.action) && ordering_ == Ordering::by_calls)
        look_for_races(event, at, number_of(event.action.second));
    if (!accesses_plainly(event.action)) return synchronise(event);
    const Number variable = number_of(event.action.object);
    if (objects_[variable].is_atomic)
        access_atomic(event, variable);
    else
        look_for_races(event, at, variable);
}

void RaceClocks::go_back(Position size) {
    if (size >= marks_.size()) return;
    const Mark& mark = marks_[size];
    while (saved_rows_.size() > mark.released) {
        std::copy_n(saved_.end() - static_cast<std::ptrdiff_t>(stride_), stride_,
                    released_.begin() + static_cast<std::ptrdiff_t>(saved_rows_.back() * stride_));
        saved_.resize(saved_.size() - stride_);
        saved_rows_.pop_back();
    }
    while (access_undos_.size() > mark.accessed) {
        const AccessUndo& undo = access_undos_.back();
        std::vector<Position>& accessed = objects_[undo.object].accessed;
        if (undo.before == nowhere)
            accessed.pop_back();
        else
            accessed[undo.at] = undo.before;
        access_undos_.pop_back();
    }
    unordered_.resize(mark.unordered);
    marks_.resize(size);
    clocks_.resize(std::size_t{size} * stride_);
}

// ---- acquire and release

void RaceClocks::save_row(Number object, Released whose) {
    const std::uint32_t* row = released(object, whose);
    saved_.insert(saved_.end(), row, row + stride_);
    saved_rows_.push_back(std::size_t{object} * rows_ + whose);
}

void RaceClocks::acquire(Number object, Released whose) {
    const std::uint32_t* row = released(object, whose);
    for (std::uint32_t t = 0; t < stride_; ++t) clock_[t] = std::max(clock_[t], row[t]);
}

void RaceClocks::release(Number object, Released whose) {
    save_row(object, whose);
    std::uint32_t* row = released(object, whose);
    for (std::uint32_t t = 0; t < stride_; ++t) row[t] = std::max(clock_[t], row[t]);
}

void RaceClocks::replace(Number object, Released whose) {
    save_row(object, whose);
    std::copy_n(clock_, stride_, released(object, whose));
}

void RaceClocks::clear(Number object) {
    for (const Released whose : {by_owners, by_sharers}) {
        save_row(object, whose);
        std::fill_n(released(object, whose), stride_, 0);
    }
}

void RaceClocks::follow(OrderChange order, Number object) {
    switch (order) {
        case OrderChange::unordered: return;
        case OrderChange::acquires: return acquire(object, by_owners);
        case OrderChange::acquires_all: acquire(object, by_owners); return acquire(object, by_sharers);
        case OrderChange::releases: return release(object, by_owners);
        case OrderChange::releases_shared: return release(object, by_sharers);
        case OrderChange::acquires_and_releases: acquire(object, by_owners); return release(object, by_owners);
    }
}

void RaceClocks::synchronise(const TrackEvent& event) {
    const Action& action = event.action;
    const OperationTraits& what = traits(action.operation);
    const bool took_effect = event.outcome.effect == Effect::done;
    OrderChange order = took_effect ? what.order : what.order_if_not_done;
    // Who arrives at a barrier before the last learns nothing yet: what is released there reaches it when it leaves.
    const bool is_early = action.operation == Operation::barrier_wait && event.outcome.result != error::barrier_serial;
    if (took_effect && is_early) order = OrderChange::releases;
    const OrderChange second_order = took_effect ? what.second_order : OrderChange::unordered;
    const ThreadId self = track_.machine().thread(event.thread).id;
    if (order != OrderChange::unordered)
        follow(order, number_of(what.object == FirstObject::self ? thread_object(self) : action.object));
    if (second_order != OrderChange::unordered) follow(second_order, number_of(action.second));
    // The next round of the barrier starts without releases.
    if (took_effect && action.operation == Operation::barrier_wait && event.outcome.result == error::barrier_serial)
        clear(number_of(action.object));
}

// A plain store replaces the releases of others: a later reader acquires from this store only.
void RaceClocks::access_atomic(const TrackEvent& event, Number object) {
    if (event.action.operation != Operation::memory_write) return acquire(object, by_owners);
    plain_store_to_atomic_ = true;
    replace(object, by_owners);
}

// ---- unordered accesses

// One access per thread and site suffices, the last: whatever comes after it also comes after the earlier ones.
void RaceClocks::look_for_races(const TrackEvent& event, Position at, Number object) {
    const Action& action = event.action;
    std::vector<Position>& accessed = objects_[object].accessed;
    std::size_t same = accessed.size();
    for (std::size_t i = 0; i < accessed.size(); ++i) {
        const TrackEvent& before = track_[accessed[i]];
        if (before.thread == event.thread) {
            const bool is_same = before.action.site == action.site && before.action.operation == action.operation &&
                                 packed(extent_of(before.action)) == packed(extent_of(action));
            if (is_same) same = i;
            continue;
        }
        const bool is_ordered = clock_[before.thread] >= before.number;
        if (!is_ordered && may_race(before.action, action)) unordered_.push_back({accessed[i], at});
    }
    if (same == accessed.size()) accessed.push_back(nowhere);
    access_undos_.push_back({object, static_cast<std::uint32_t>(same), accessed[same]});
    accessed[same] = at;
}

}  // namespace raddle
