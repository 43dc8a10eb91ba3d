#include <algorithm>

#include "supervisor/base/hash.h"
#include "supervisor/search/predict/witness.h"

namespace raddle {

// The threads by the place of their next event in the recording; behind it, they come last.
std::vector<ThreadSlot> Reorderings::in_recorded_order() const {
    std::vector<ThreadSlot> threads;
    for (ThreadSlot thread = 0; thread < recording_.threads(); ++thread)
        if (path_.done(thread) < limits_[thread]) threads.push_back(thread);
    std::sort(threads.begin(), threads.end(),
              [&](ThreadSlot a, ThreadSlot b) { return std::pair(path_.next(a), a) < std::pair(path_.next(b), b); });
    return threads;
}

// ---- one goal

GoalSpan span_of(const Goal& goal, const Recording& recording) {
    constexpr Position behind = 24;
    Position first = recording.size(), last = 0;
    for (const Goal::Stop& stop : goal.stops) {
        if (stop.most < recording.events_of(stop.thread))
            first = std::min(first, recording.at(stop.thread, stop.most + 1));
        if (stop.least > 0) last = std::max(last, recording.at(stop.thread, stop.least));
    }
    return {first, std::min<Position>(recording.size(), std::max(first, last) + behind)};
}

std::optional<Witness> Reorderings::find(const Goal& goal) {
    struct Window {
        Position before;
        std::size_t most_states;
    };
    constexpr Window windows[] = {{16, 400}, {64, 2500}};
    const auto [first, end] = span_of(goal, recording_);
    is_exact_ = false;
    Position begin_before = nowhere;
    for (const Window& window : windows) {
        const Position begin = first > window.before ? first - window.before : 0;
        if (begin == begin_before) break;
        begin_before = begin;
        if (!path_.go_along_to(begin)) continue;
        limits_.assign(recording_.threads(), 0);
        for (Position i = 0; i < end; ++i) limits_[recording_.event(i).thread] = recording_.event(i).number;
        for (const Goal::Stop& stop : goal.stops) limits_[stop.thread] = stop.most;
        visited_.clear();
        most_states_ = window.most_states;
        std::optional<Witness> found;
        const bool is_done = search(goal, found);
        path_.back_to(begin);
        if (found) return found;
        is_exact_ = is_done && begin == 0 && end == recording_.size();
    }
    return std::nullopt;
}

// False if there were too many states.
bool Reorderings::search(const Goal& goal, std::optional<Witness>& found) {
    if (!is_new_state()) return true;
    if (visited_.size() > most_states_) return false;
    if (is_reached(path_, goal) && (found = finish(path_, recording_, goal))) return true;
    for (const ThreadSlot thread : in_recorded_order()) {
        const Path::Taken taken = path_.take(thread);
        if (taken == Path::Taken::impossible) continue;
        const bool goes_on = taken == Path::Taken::other || search(goal, found);
        path_.back();
        if (!goes_on) return false;
        if (found) return true;
    }
    return true;
}

// ---- everything

std::vector<Reorderings::Shown> Reorderings::find_all(std::uint32_t most_states) {
    std::vector<Shown> found;
    if (!path_.go_along_to(0)) return found;
    limits_.assign(recording_.threads(), ~0u);
    visited_.clear();
    keys_.clear();
    most_states_ = most_states;
    look_everywhere(found);
    path_.back_to(0);
    return found;
}

void Reorderings::look_everywhere(std::vector<Shown>& found) {
    if (!is_new_state()) return;
    if (visited_.size() > most_states_ || path_.has_ended()) return;
    bool can_go_on = false, is_known = true;
    std::uint64_t waiting = 0;  // the same for the same waits
    for (const ThreadSlot thread : in_recorded_order()) {
        const ThreadSlot slot = path_.slot(thread);
        if (slot == no_slot || path_.machine().thread(slot).life == Life::unborn) continue;
        const Action* const next = recording_.next_of(thread, path_.done(thread));
        const bool is_alive = path_.machine().thread(slot).life == Life::announced;
        if (next == nullptr) is_known = is_known && path_.machine().thread(slot).life == Life::ended;
        if (next == nullptr || !is_alive) continue;
        const std::uint32_t ways = path_.machine().alternatives(slot).count;
        can_go_on = can_go_on || ways > 0;
        waiting += mix64(code_of(*next));
        if (const Position at = path_.next(thread); at != nowhere)
            for (const HeldLock& held : recording_.held(at)) waiting += mix64(recording_.code(held.since) + 1);
        for (std::uint32_t way = 0; way < ways && visited_.size() <= most_states_; ++way) {
            const Path::Taken taken = path_.take(thread, way);
            if (taken == Path::Taken::impossible) break;
            const TrackEvent& event = path_.track()[path_.size() - 1];
            const Misuse misuse = event.outcome.misuse;
            const Ending ending = path_.machine().ending();
            const bool fails = ending == Ending::failed || ending == Ending::crashed;
            if (taken == Path::Taken::same)
                look_everywhere(found);
            else if (misuse != Misuse::none || fails)
                note(fails ? BugClass::order : BugClass::misuse,
                     mix64(static_cast<std::uint64_t>(misuse) << 8) + mix64(code_of(event.action)), found);
            path_.back();
        }
    }
    if (!can_go_on && is_known && path_.size() > 0) note(BugClass::deadlock, mix64(waiting), found);
}

void Reorderings::note(BugClass bug, std::uint64_t key, std::vector<Shown>& found) {
    if (keys_.insert(key).second) found.push_back({bug, key, {schedule_of(path_.track()), path_.track().graph().low}});
}

}  // namespace raddle
