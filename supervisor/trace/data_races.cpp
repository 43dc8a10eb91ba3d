#include "supervisor/trace/data_races.h"

#include <algorithm>

#include "supervisor/model/extent.h"

namespace raddle {

namespace {

bool is_plain(const Action& action) {
    const MemoryAccess access = traits(action.operation).access;
    return (access == MemoryAccess::reads || access == MemoryAccess::writes) && !is_freeing(action);
}
bool conflict(const Action& a, const Action& b) {
    const bool one_writes =
        traits(a.operation).access == MemoryAccess::writes || traits(b.operation).access == MemoryAccess::writes;
    return one_writes && a.object == b.object && extent_of(a).overlaps(extent_of(b));
}

}  // namespace

std::string text_of(const Execution& execution, const DataRace& race) {
    std::string one = text_of_site(execution.events[race.first].action.site, execution.modules.get());
    std::string other = text_of_site(execution.events[race.second].action.site, execution.modules.get());
    if (other < one) std::swap(one, other);
    return "nothing orders the accesses to one variable at " + one + " and " + other;
}

// ---- one execution

void DataRaces::add_atomics(const std::set<ObjectId>& variables) {
    for (const ObjectId& variable : variables) clocks_.add_atomic(variable);
}

const std::vector<DataRace>& DataRaces::find(const Execution& execution) {
    execution_ = &execution;
    replay_.begin_after_common_prefix(execution);
    clocks_.go_back(static_cast<Position>(replay_.position()));
    for (std::size_t i = clocks_.size(); i < execution.events.size(); ++i)
        if (const Action& action = execution.events[i].action;
            ordering_ == Ordering::by_calls_and_atomics && is_atomic(action))
            clocks_.add_atomic(action.object);
    while (clocks_.size() < replay_.position()) clocks_.follow();
    while (replay_.more()) {
        replay_.feed();
        clocks_.follow();
    }
    races_.clear();
    for (const DataRace& race : clocks_.unordered()) add(race);
    return races_;
}

void DataRaces::add(const DataRace& race) {
    const auto sites = [&](const DataRace& one) {
        return std::minmax({execution_->events[one.first].action.site, execution_->events[one.second].action.site});
    };
    const auto known =
        std::find_if(races_.begin(), races_.end(), [&](const DataRace& one) { return sites(one) == sites(race); });
    if (known == races_.end())
        races_.push_back(race);
    else if (!is_immediate(*known) && is_immediate(race))
        *known = race;
}

// The second access's thread did nothing before that depends on the first access, in any order relation.
bool DataRaces::is_immediate(const DataRace& race) const {
    const Track& track = replay_.track();
    const Position before = track[static_cast<Position>(race.second)].previous;
    return before == nowhere || !track.before(static_cast<Position>(race.first), before);
}

// ---- an execution that shows it

Step DataRaces::step_of(Position i) const {
    const Event& event = execution_->events[i];
    return {event.thread, event.value};
}

std::vector<Schedule> DataRaces::back_to_back(const DataRace& race) const {
    const Track& track = replay_.track();
    const auto first = static_cast<Position>(race.first), second = static_cast<Position>(race.second);
    const auto schedule_of = [&](auto&& comes_first) {
        Schedule schedule;
        // The start of a thread changes nothing, so it may come late.
        const Position start = track[second].previous;
        const bool starts = start != nowhere && track[start].action.operation == Operation::thread_start;
        for (Position i = 0; i < second; ++i)
            if (i != first && !(starts && i == start) && comes_first(i)) schedule.push_back(step_of(i));
        schedule.push_back(step_of(first));
        if (starts) schedule.push_back(step_of(start));
        schedule.push_back(step_of(second));
        return schedule;
    };
    std::vector<Schedule> schedules;
    if (is_immediate(race)) schedules.push_back(schedule_of([&](Position i) { return !track.before(first, i); }));
    schedules.push_back(schedule_of([&](Position i) { return !clocks_.before(first, i); }));
    schedules.push_back(schedule_of([&](Position i) { return clocks_.before(i, first) || clocks_.before(i, second); }));
    return schedules;
}

std::vector<DataRace> races_back_to_back(const Execution& execution) {
    std::set<ObjectId> atomics;
    for (const Event& event : execution.events)
        if (is_atomic(event.action)) atomics.insert(event.action.object);
    std::vector<DataRace> races;
    for (std::size_t i = 1; i < execution.events.size(); ++i) {
        const Event& second = execution.events[i];
        if (!is_plain(second.action) || atomics.contains(second.action.object)) continue;
        const Event& between = execution.events[i - 1];
        const bool starts =
            i >= 2 && between.thread == second.thread && between.action.operation == Operation::thread_start;
        const DataRace race{starts ? i - 2 : i - 1, i};
        const Event& first = execution.events[race.first];
        if (!(first.thread == second.thread) && is_plain(first.action) && conflict(first.action, second.action))
            races.push_back(race);
    }
    return races;
}

void set_race_verdict(Execution& execution, const std::function<bool(const std::string& text)>& is_wanted) {
    if (execution.verdict == Verdict::diverged || is_cut(execution.verdict) || execution.verdict == Verdict::abandoned)
        return;
    for (const DataRace& race : races_back_to_back(execution)) {
        std::string text = text_of(execution, race);
        if (!is_wanted(text)) continue;
        execution.verdict = Verdict::race;
        execution.message = std::move(text);
        execution.site = 0;
        return;
    }
}

}  // namespace raddle
