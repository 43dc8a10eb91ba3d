#include "replay/explain/nearest.h"

#include <algorithm>

#include "supervisor/trace/replay_machine.h"

namespace raddle {

namespace {

constexpr Position window = 400;  // orderings further from the end are not tried

struct Candidate {
    Position first = nowhere;
    Position second = nowhere;    // nowhere: the action that the thread had announced at the end
    ThreadSlot thread = no_slot;  // thread of `second`
};

bool touches(const TrackEvent& event, const ObjectUse& use) {
    for (std::uint8_t i = 0; i < event.outcome.use_count; ++i) {
        if (depend(event.outcome.uses[i], use)) return true;
    }
    return false;
}

// Collects the events that race with an action of `thread`; `previous` is the thread's last event before the action.
void collect(const Track& track, Position end, ThreadSlot thread, Position previous, const ObjectUse* uses,
             std::uint8_t count, Position second, std::vector<Candidate>& candidates) {
    const Position begin = track.size() > window ? track.size() - window : 0;
    for (Position i = end; i-- > begin;) {
        if (track[i].thread == thread || (previous != nowhere && track.before(i, previous))) continue;
        for (std::uint8_t a = 0; a < count; ++a)
            if (touches(track[i], uses[a])) {
                candidates.push_back({i, second, thread});
                break;
            }
    }
}

std::vector<Candidate> candidates_of(const Track& track) {
    std::vector<Candidate> candidates;
    for (Position j = 0; j < track.size(); ++j)
        collect(track, j, track[j].thread, track[j].previous, track[j].outcome.uses, track[j].outcome.use_count, j,
                candidates);
    const Machine& machine = track.machine();
    for (ThreadSlot slot = 0; slot < machine.thread_count(); ++slot) {
        if (machine.thread(slot).life != Life::announced) continue;
        ObjectUse uses[most_uses];
        const std::uint8_t count = machine.pending_uses(slot, uses);
        collect(track, track.size(), slot, track.last_of(slot), uses, count, nowhere, candidates);
    }
    // A later difference makes a nearer execution. An end of the process that came first explains little: it cuts off
    // what went wrong.
    const auto is_end = [&](const Candidate& candidate) {
        return traits(track[candidate.first].action.operation).kind == Kind::process;
    };
    std::stable_sort(candidates.begin(), candidates.end(), [&](const Candidate& a, const Candidate& b) {
        return is_end(a) != is_end(b) ? is_end(b) : a.first > b.first;
    });
    return candidates;
}

// Everything before the first event, then the events independent of it, then the second.
Schedule turned_round(const Track& track, const Candidate& candidate) {
    Schedule schedule;
    const auto add = [&](Position i) {
        schedule.push_back({track.machine().thread(track[i].thread).id, track[i].value});
    };
    const Position end = candidate.second == nowhere ? track.size() : candidate.second;
    for (Position i = 0; i < candidate.first; ++i) add(i);
    for (Position i = candidate.first; i < end; ++i)
        if (!track.before(candidate.first, i)) add(i);
    schedule.push_back({track.machine().thread(candidate.thread).id, 0});
    return schedule;
}

StepName name_of(const Track& track, Position i) {
    return {track.machine().thread(track[i].thread).id, track[i].number, track[i].action};
}

std::size_t shared_beginning(const Execution& a, const Execution& b) {
    std::size_t same = 0;
    while (same < a.events.size() && same < b.events.size() && a.events[same].thread == b.events[same].thread &&
           a.events[same].value == b.events[same].value)
        ++same;
    return same;
}

}  // namespace

std::optional<NearestPassing> find_nearest_passing(Target& target, const Execution& failing,
                                                   const NearestOptions& options) {
    ReplayMachine replay(options.machine);
    replay.begin(failing);
    replay.feed_all();
    const Track& track = replay.track();
    // The deadline starts after the first execution, which pays for the launch.
    std::optional<std::chrono::steady_clock::time_point> deadline;
    std::size_t tried = 0, hung = 0;
    for (const Candidate& candidate : candidates_of(track)) {
        if (tried++ == options.most_executions || (deadline && std::chrono::steady_clock::now() > *deadline)) break;
        Plan plan;
        plan.prefix = turned_round(track, candidate);
        plan.max_steps = options.max_steps;
        const auto begin = std::chrono::steady_clock::now();
        Execution execution = target.run(plan);
        const auto end = std::chrono::steady_clock::now();
        if (!deadline) deadline = end + options.most_time;
        if (execution.verdict == Verdict::uncontrolled) {
            // The watchdog's time says nothing about the others.
            if (++hung == options.most_hangs) break;
            *deadline += end - begin;
        }
        if (execution.verdict != Verdict::ok) continue;
        NearestPassing found;
        found.first = name_of(track, candidate.first);
        const ThreadRecord& thread = track.machine().thread(candidate.thread);
        found.second = candidate.second != nowhere ? name_of(track, candidate.second)
                                                   : StepName{thread.id, thread.events + 1, thread.pending};
        found.shared = shared_beginning(failing, execution);
        found.execution = std::move(execution);
        return found;
    }
    return std::nullopt;
}

}  // namespace raddle
