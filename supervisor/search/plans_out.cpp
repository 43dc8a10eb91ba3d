#include "supervisor/search/plans_out.h"

#include <algorithm>
#include <map>

namespace raddle {

void PlansOut::add(std::uint64_t id, const Track& track) {
    Prefix& prefix = plans_[id];
    prefix = {};
    prefix.events.resize(track.size());
    const Machine& machine = track.machine();
    for (Position i = 0; i < track.size(); ++i) {
        const TrackEvent& event = track[i];
        ForcedEvent& forced = prefix.events[i];
        forced.thread = machine.thread(event.thread).id;
        forced.past = event.past;
        forced.use_count = event.outcome.use_count;
        for (std::uint8_t use = 0; use < forced.use_count; ++use)
            forced.uses[use] = {machine.object(event.outcome.uses[use].object).id, event.outcome.uses[use].mode};
    }
}

bool PlansOut::are_apart_from(const Track& track) const {
    return std::all_of(plans_.begin(), plans_.end(), [&](auto& plan) {
        if (plan.second.by_thread.empty()) sort_by_thread(plan.second);
        return have_another_past(plan.second, track) || (!track.goes_by_value() && depend(plan.second, track));
    });
}

void PlansOut::sort_by_thread(Prefix& prefix) {
    for (const ForcedEvent& event : prefix.events) prefix.by_thread[event.thread.code].push_back(&event);
}

// A past contains the thread's earlier ones, so the last common number decides.
bool PlansOut::have_another_past(const Prefix& prefix, const Track& track) {
    const Machine& machine = track.machine();
    for (const auto& [code, events] : prefix.by_thread) {
        const ThreadSlot slot = machine.find_thread({code});
        const Position last = slot == no_slot ? nowhere : track.last_of(slot);
        if (last == nowhere) continue;
        const auto common = std::min<std::size_t>(track[last].number, events.size());
        const Position there = track.position_of(slot, static_cast<std::uint32_t>(common));
        if (track[there].past != events[common - 1]->past) return true;
    }
    return false;
}

// An event that only the prefix has depends on one that only the track has.
bool PlansOut::depend(const Prefix& prefix, const Track& track) {
    const Machine& machine = track.machine();
    std::map<ObjectId, std::vector<Mode>> only_there;  // how it used the objects
    for (const auto& [code, events] : prefix.by_thread) {
        const ThreadSlot slot = machine.find_thread({code});
        const Position last = slot == no_slot ? nowhere : track.last_of(slot);
        for (std::size_t i = last == nowhere ? 0 : track[last].number; i < events.size(); ++i)
            for (std::uint8_t use = 0; use < events[i]->use_count; ++use) {
                std::vector<Mode>& modes = only_there[events[i]->uses[use].object];
                const Mode mode = events[i]->uses[use].mode;
                if (std::find(modes.begin(), modes.end(), mode) == modes.end()) modes.push_back(mode);
            }
    }
    if (only_there.empty()) return false;
    for (Position i = track.size(); i-- > 0;) {
        const TrackEvent& event = track[i];
        const auto same = prefix.by_thread.find(machine.thread(event.thread).id.code);
        if (same != prefix.by_thread.end() && event.number <= same->second.size()) continue;
        for (std::uint8_t use = 0; use < event.outcome.use_count; ++use) {
            const auto there = only_there.find(machine.object(event.outcome.uses[use].object).id);
            const auto depends = [&](Mode mode) { return !commute(mode, event.outcome.uses[use].mode); };
            if (there != only_there.end() && std::any_of(there->second.begin(), there->second.end(), depends))
                return true;
        }
    }
    return false;
}

}  // namespace raddle
