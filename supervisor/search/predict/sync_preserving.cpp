#include <algorithm>

#include "supervisor/search/predict/witness.h"

namespace raddle {

bool is_reached(const Path& path, const Goal& goal) {
    return std::all_of(goal.stops.begin(), goal.stops.end(), [&](const Goal::Stop& stop) {
        return stop.least <= path.done(stop.thread) && path.done(stop.thread) <= stop.most;
    });
}

std::optional<Witness> finish(Path& path, const Recording& recording, const Goal& goal) {
    const Position before = path.size();
    std::optional<Witness> witness;
    std::vector<std::uint32_t> wished(recording.threads(), 0);  // by thread: its steps that are not on the path
    Schedule rest;
    const auto wish = [&](ThreadSlot thread) {
        const std::uint32_t number = path.done(thread) + ++wished[thread];
        const bool is_recorded = number <= recording.events_of(thread);
        rest.push_back({recording.name(thread), is_recorded ? recording.event(recording.at(thread, number)).value : 0});
    };
    bool is_possible = true;
    for (const ThreadSlot thread : goal.then) {
        const bool is_first = rest.empty() && path.size() == before;
        if (rest.empty() && path.take(thread) != Path::Taken::impossible) continue;
        is_possible = is_possible && !is_first;
        // The step that took effect in another way is on the path, but does not count as done.
        if (wished[thread] == 0 && path.is_lost(thread)) ++wished[thread];
        wish(thread);
    }
    if (is_possible) {
        if (goal.onward != no_slot)
            while (path.done(goal.onward) + wished[goal.onward] < goal.onward_to) wish(goal.onward);
        witness = Witness{schedule_of(path.track()), path.track().graph().low};
        witness->schedule.insert(witness->schedule.end(), rest.begin(), rest.end());
    }
    path.back_to(before);
    return witness;
}

// ---- keeping the order of synchronisation

std::optional<Witness> SyncPreserving::find(const Goal& goal) {
    Ideal ideal(recording_.threads(), 0);
    std::vector<WantedLock> wanted;
    for (const Goal::Stop& stop : goal.stops) ideal[stop.thread] = stop.least;
    require_last_steps(ideal, goal, wanted);
    if (!close(ideal, goal, wanted) || !carry_out(ideal)) return std::nullopt;
    return finish(path_, recording_, goal);
}

// What has to come before the last steps in any order, and the locks that they take.
void SyncPreserving::require_last_steps(Ideal& ideal, const Goal& goal, std::vector<WantedLock>& wanted) const {
    std::vector<std::uint32_t> taken = ideal;
    for (const ThreadSlot thread : goal.then) {
        if (++taken[thread] > recording_.events_of(thread)) continue;
        const Position last = recording_.at(thread, taken[thread]);
        for (ThreadSlot t = 0; t < recording_.threads(); ++t)
            if (t != thread) ideal[t] = std::max(ideal[t], recording_.order(last, t));
        const TrackEvent& event = recording_.event(last);
        const LockChange change = traits(event.action.operation).lock;
        if (takes_lock(change) && event.outcome.effect == Effect::done)
            wanted.push_back({recording_.object(last), thread, change == LockChange::takes_shared});
    }
}

bool SyncPreserving::close(Ideal& ideal, const Goal& goal, const std::vector<WantedLock>& wanted) const {
    const auto fits = [&] {
        return std::all_of(goal.stops.begin(), goal.stops.end(),
                           [&](const Goal::Stop& stop) { return ideal[stop.thread] <= stop.most; });
    };
    Ideal joined(ideal.size(), 0);
    for (bool changed = true; changed;) {
        changed = false;
        for (ThreadSlot thread = 0; thread < ideal.size(); ++thread) {
            if (joined[thread] >= ideal[thread]) continue;
            joined[thread] = ideal[thread];
            changed = true;
            const Position last = recording_.at(thread, ideal[thread]);
            for (ThreadSlot t = 0; t < ideal.size(); ++t) ideal[t] = std::max(ideal[t], recording_.need(last, t));
        }
        if (!fits()) return false;
        if (!changed && !give_locks(ideal, wanted, changed)) return false;
    }
    return true;
}

// Of the critical sections of a lock that are left, all but the last one end. False if one of these never ends.
bool SyncPreserving::give_locks(Ideal& ideal, const std::vector<WantedLock>& wanted, bool& changed) const {
    const auto is_taken = [&](const Recording::Section& section) {
        return recording_.event(section.taken).number <= ideal[section.thread];
    };
    std::vector<const Recording::Section*> last(ideal.size());
    for (const ObjectSlot lock : recording_.locks()) {
        std::fill(last.begin(), last.end(), nullptr);
        const Recording::Section *latest = nullptr, *latest_exclusive = nullptr;
        for (const Recording::Section& section : recording_.sections(lock)) {
            if (!is_taken(section)) continue;
            last[section.thread] = latest = &section;
            if (!section.shared) latest_exclusive = &section;
        }
        for (ThreadSlot thread = 0; thread < ideal.size(); ++thread) {
            const Recording::Section* const own = last[thread];
            if (own == nullptr) continue;
            const bool is_open = own->given == nowhere || recording_.event(own->given).number > ideal[thread];
            if (!is_open) continue;
            const Recording::Section* const later = own->shared ? latest_exclusive : latest;
            const bool is_wanted = std::any_of(wanted.begin(), wanted.end(), [&](const WantedLock& one) {
                return one.lock == lock && one.by != thread && !(one.shared && own->shared);
            });
            if (!is_wanted && (later == nullptr || later->taken <= own->taken)) continue;
            if (own->given == nowhere) return false;
            ideal[thread] = recording_.event(own->given).number;
            changed = true;
        }
    }
    return true;
}

// Takes the events in the order that was recorded. Goes back only to where the events before differ.
bool SyncPreserving::carry_out(const Ideal& ideal) {
    std::size_t kept = 0;
    bool is_common = true;
    std::size_t left = 0;
    for (const std::uint32_t count : ideal) left += count;
    for (Position i = 0; left > 0 && i < recording_.size(); ++i) {
        const TrackEvent& event = recording_.event(i);
        if (event.number > ideal[event.thread]) continue;
        --left;
        if (is_common && kept < taken_.size() && taken_[kept] == i) {
            ++kept;
            continue;
        }
        if (is_common) {
            path_.back_to(static_cast<Position>(kept));
            taken_.resize(kept);
            is_common = false;
        }
        if (path_.take(event.thread) != Path::Taken::same) {
            path_.back_to(static_cast<Position>(taken_.size()));
            return false;
        }
        taken_.push_back(i);
    }
    if (is_common) {
        path_.back_to(static_cast<Position>(kept));
        taken_.resize(kept);
    }
    return true;
}

}  // namespace raddle
