#include "supervisor/trace/data_races.h"

#include <algorithm>
#include <map>

#include "supervisor/model/extent.h"
#include "supervisor/model/kinds.h"

namespace raddle {

namespace {

enum class Way { none, acquires, acquires_all, releases, shares, gathers };

struct Ways {
    Way object, second;
};

Ways ways_of(Operation operation) {
    switch (operation) {
#define RADDLE_SYNCHRONISES(name, object, second) \
    case Operation::name: return {Way::object, Way::second};
#include "supervisor/trace/synchronisation.def"
#undef RADDLE_SYNCHRONISES
        case Operation::count_: break;
    }
    return {Way::none, Way::none};
}

bool is_plain(const Action& action) {
    return action.operation == Operation::memory_read || action.operation == Operation::memory_write;
}
bool is_atomic(const Action& action) {
    return action.operation == Operation::memory_update || action.operation == Operation::memory_exchange;
}
// Whatever the instruction.
bool makes_atomic(const Action& action) {
    const bool said = traits(action.operation).kind == Kind::memory && (action.attributes & attribute::atomic) != 0;
    return said || is_atomic(action);
}
bool conflict(const Action& a, const Action& b) {
    const bool one_writes = a.operation == Operation::memory_write || b.operation == Operation::memory_write;
    return one_writes && a.object == b.object && extent_of(a).overlaps(extent_of(b));
}

using Clock = std::vector<std::uint32_t>;

void join(Clock& clock, const Clock& other) {
    if (clock.size() < other.size()) clock.resize(other.size(), 0);
    for (std::size_t i = 0; i < other.size(); ++i) clock[i] = std::max(clock[i], other[i]);
}

}  // namespace

std::string text_of(const Execution& execution, const DataRace& race) {
    std::string one = text_of_site(execution.events[race.first].action.site, execution.modules.get());
    std::string other = text_of_site(execution.events[race.second].action.site, execution.modules.get());
    if (other < one) std::swap(one, other);
    return "nothing orders the accesses to one variable at " + one + " and " + other;
}

// ---- one execution: what synchronisation orders

class DataRaces::Clocks {
public:
    Clocks(DataRaces& races, const std::set<ObjectId>& atomics) : races_(races), atomics_(atomics) {}

    void follow(std::size_t event, const TrackEvent& happened) {
        const Action& action = happened.action;
        if (threads_.size() <= happened.thread) threads_.resize(happened.thread + 1);
        if (const EventName enabler = happened.outcome.enabler; enabler.number != 0) {
            const Position at = races_.replay_.track().position_of(enabler.thread, enabler.number);
            join(threads_[happened.thread], released_by_[at]);
        }
        Clock& clock = threads_[happened.thread];
        if (clock.size() <= happened.thread) clock.resize(happened.thread + 1, 0);
        clock[happened.thread] = happened.number;
        synchronise(action, happened, clock);
        if (is_plain(action) && !atomics_.contains(action.object)) look_for_races(event, happened, clock);
        released_by_.push_back(clock);
    }

    const std::vector<Clock>& of_events() const { return released_by_; }

private:
    struct Released {
        Clock by_owners, by_sharers;
    };
    struct Accessed {
        std::size_t event;
        ThreadSlot thread;
        std::uint32_t number;
    };

    void synchronise(const Action& action, const TrackEvent& happened, Clock& clock) {
        const bool took_effect = happened.outcome.effect == Effect::done;
        const ThreadId self = races_.execution_->events[released_by_.size()].thread;
        if (happened.outcome.effect == Effect::cancelled || happened.outcome.cancels) acquire(released_[cancel_object(self)], clock);
        if (is_plain(action)) return atomics_.contains(action.object) ? by_atomic_variable(action, clock) : void();
        if (is_atomic(action) && !took_effect) return acquire(released_[action.object], clock);
        if (!took_effect && action.operation != Operation::once_begin) return;
        const Ways ways = ways_of(action.operation);
        if (ways.object != Way::none) by(ways.object, released_[action.operation == Operation::thread_exit ? thread_object(self) : action.object], clock);
        if (ways.second != Way::none) by(ways.second, released_[action.second], clock);
        // The next round of a barrier is another one.
        if (action.operation == Operation::barrier_wait && happened.outcome.result == error::barrier_serial) released_.erase(action.object);
    }

    // Who writes without looking at what was there ends what others released.
    void by_atomic_variable(const Action& action, Clock& clock) {
        Released& released = released_[action.object];
        if (action.operation == Operation::memory_write)
            released.by_owners = clock;
        else
            acquire(released, clock);
    }

    static void acquire(const Released& released, Clock& clock) { join(clock, released.by_owners); }

    static void by(Way way, Released& released, Clock& clock) {
        switch (way) {
            case Way::none: return;
            case Way::acquires: return acquire(released, clock);
            case Way::acquires_all:
                acquire(released, clock);
                return join(clock, released.by_sharers);
            case Way::releases: return join(released.by_owners, clock);
            case Way::shares: return join(released.by_sharers, clock);
            case Way::gathers:
                acquire(released, clock);
                return join(released.by_owners, clock);
        }
    }

    // Of accesses that a thread did from one place the last is enough: what is after it is after those before.
    void look_for_races(std::size_t event, const TrackEvent& happened, const Clock& clock) {
        const std::vector<Event>& events = races_.execution_->events;
        const Action& action = events[event].action;
        std::vector<Accessed>& accesses = accesses_[action.object];
        Accessed* same = nullptr;
        for (Accessed& before : accesses) {
            const Action& other = events[before.event].action;
            if (before.thread == happened.thread) {
                const bool is_same = other.site == action.site && other.operation == action.operation &&
                                     packed(extent_of(other)) == packed(extent_of(action));
                if (is_same) same = &before;
                continue;
            }
            const bool is_ordered = before.thread < clock.size() && clock[before.thread] >= before.number;
            if (!is_ordered && conflict(other, action)) races_.add({before.event, event});
        }
        const Accessed access{event, happened.thread, happened.number};
        if (same != nullptr)
            *same = access;
        else
            accesses.push_back(access);
    }

    DataRaces& races_;
    const std::set<ObjectId>& atomics_;
    std::vector<Clock> threads_;
    std::vector<Clock> released_by_;  // by event: its clock
    std::map<ObjectId, Released> released_;
    std::map<ObjectId, std::vector<Accessed>> accesses_;
};

const std::vector<DataRace>& DataRaces::find(const Execution& execution, std::set<ObjectId>& atomics) {
    execution_ = &execution;
    races_.clear();
    for (const Event& event : execution.events)
        if (makes_atomic(event.action)) atomics.insert(event.action.object);
    replay_.begin(execution);
    Clocks clocks(*this, atomics);
    while (replay_.more()) {
        const std::size_t event = replay_.position();
        clocks.follow(event, replay_.feed());
    }
    const std::vector<Clock>& of_events = clocks.of_events();
    stride_ = 0;
    for (const Clock& clock : of_events) stride_ = std::max(stride_, clock.size());
    clocks_.assign(stride_ * of_events.size(), 0);
    for (std::size_t i = 0; i < of_events.size(); ++i) std::copy(of_events[i].begin(), of_events[i].end(), clocks_.begin() + static_cast<std::ptrdiff_t>(i * stride_));
    return races_;
}

void DataRaces::add(const DataRace& race) {
    const auto places = [&](const DataRace& one) {
        return std::minmax({execution_->events[one.first].action.site, execution_->events[one.second].action.site});
    };
    const auto known = std::find_if(races_.begin(), races_.end(), [&](const DataRace& one) { return places(one) == places(race); });
    if (known == races_.end())
        races_.push_back(race);
    else if (!is_immediate(*known) && is_immediate(race))
        *known = race;
}

// Nothing that the second's thread did before depends on the first, whatever orders it.
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
    const auto before = [&](Position i, Position j) { return clocks_[j * stride_ + track[i].thread] >= track[i].number; };
    const auto schedule_of = [&](auto&& comes_first) {
        Schedule schedule;
        // The start of a thread changes nothing, and may as well come late.
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
    schedules.push_back(schedule_of([&](Position i) { return !before(first, i); }));
    schedules.push_back(schedule_of([&](Position i) { return before(i, first) || before(i, second); }));
    return schedules;
}

std::vector<DataRace> races_back_to_back(const Execution& execution) {
    std::set<ObjectId> atomics;
    for (const Event& event : execution.events)
        if (makes_atomic(event.action)) atomics.insert(event.action.object);
    std::vector<DataRace> races;
    for (std::size_t i = 1; i < execution.events.size(); ++i) {
        const Event& second = execution.events[i];
        if (!is_plain(second.action) || atomics.contains(second.action.object)) continue;
        const Event& between = execution.events[i - 1];
        const bool starts = i >= 2 && between.thread == second.thread && between.action.operation == Operation::thread_start;
        const DataRace race{starts ? i - 2 : i - 1, i};
        const Event& first = execution.events[race.first];
        if (!(first.thread == second.thread) && is_plain(first.action) && conflict(first.action, second.action)) races.push_back(race);
    }
    return races;
}

void judge_race(Execution& execution, const std::function<bool(const std::string& text)>& is_wanted) {
    if (execution.verdict == Verdict::diverged || is_cut(execution.verdict) || execution.verdict == Verdict::abandoned) return;
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
