// The peephole reduction as conditions on neighbouring places. An event of a thread with a smaller name must not come
// directly behind one that commutes with it. What commutes only in some states is left to the machine.
#include <algorithm>

#include "supervisor/search/symbolic/possible_orders.h"

namespace raddle {

void PossibleOrders::forbid_neighbours() {
    const std::vector<Stories::Thread>& threads = stories_.threads();
    for (std::uint32_t small = 0; small < threads.size(); ++small)
        for (std::uint32_t large = 0; large < threads.size(); ++large) {
            if (!(threads[small].id < threads[large].id)) continue;
            if (options_.peephole == Peephole::dependent) {
                forbid_loosely_coupled(small, large);
                continue;
            }
            for (const EventNumber late : by_thread_[small]) {
                if (options_.peephole == Peephole::merged && commutes_with_thread(late, large))
                    forbid_after_thread(large, late);
                else
                    for (const EventNumber early : by_thread_[large]) forbid_pair(early, late);
            }
        }
}

void PossibleOrders::forbid_pair(EventNumber early, EventNumber late) {
    if (!commute(early, late)) return;
    for (std::uint32_t place = 0; place + 1 < options_.length; ++place)
        solver_.add({-solver_.is_at(early, place), -solver_.is_at(late, place + 1)});
}

void PossibleOrders::forbid_after_thread(std::uint32_t early, EventNumber late) {
    const std::vector<Literal>& runs_early = runs(early);
    for (std::uint32_t place = 0; place + 1 < options_.length; ++place)
        solver_.add({-runs_early[place], -solver_.is_at(late, place + 1)});
}

// Events that commute with all of the other thread share one condition; the others have one for each pair. (The formula
// of the paper has none for an event of the one sort next to one of the other, and would repeat some schedules.)
void PossibleOrders::forbid_loosely_coupled(std::uint32_t small, std::uint32_t large) {
    const auto split = [&](std::uint32_t thread, std::uint32_t other) {
        std::vector<EventNumber> events = by_thread_[thread];
        const auto coupled = std::stable_partition(
            events.begin(), events.end(), [&](EventNumber event) { return commutes_with_thread(event, other); });
        const std::vector<EventNumber> rest(coupled, events.end());
        events.erase(coupled, events.end());
        return std::pair(events, rest);
    };
    const auto [free_small, coupled_small] = split(small, large);
    const auto [free_large, coupled_large] = split(large, small);
    const std::vector<Literal> small_is_free = is_one_of(free_small), large_is_free = is_one_of(free_large);
    for (std::uint32_t place = 0; place + 1 < options_.length; ++place) {
        solver_.add({-runs(large)[place], -small_is_free[place + 1]});
        solver_.add({-large_is_free[place], -runs(small)[place + 1]});
    }
    for (const EventNumber late : coupled_small)
        for (const EventNumber early : coupled_large) forbid_pair(early, late);
}

// By place: the thread takes the step there.
auto PossibleOrders::runs(std::uint32_t thread) -> const std::vector<Literal>& {
    if (runs_[thread].empty()) runs_[thread] = is_one_of(by_thread_[thread]);
    return runs_[thread];
}

auto PossibleOrders::is_one_of(const std::vector<EventNumber>& events) -> std::vector<Literal> {
    std::vector<Literal> by_place;
    for (std::uint32_t place = 0; place < options_.length; ++place) {
        by_place.push_back(solver_.fresh());
        for (const EventNumber event : events) solver_.add({-solver_.is_at(event, place), by_place.back()});
    }
    return by_place;
}

// In every state in which both are possible.
bool PossibleOrders::commute(EventNumber a, EventNumber b) const {
    for (const StoryEvent::Use& one : stories_[a].uses)
        for (const StoryEvent::Use& other : stories_[b].uses)
            if (one.object == other.object && !raddle::commute(one.mode, other.mode)) return false;
    return !may_enable(a, b) && !may_enable(b, a);
}

// The first may be what the second waits for, though they share no object.
bool PossibleOrders::may_enable(EventNumber a, EventNumber b) const {
    const Wait waits = stories_.what(b).waits;
    if (waits != stories_.what(a).ends) return false;
    if (waits == Wait::creation) return stories_.action(a).object == thread_object(stories_.thread_of(b));
    return (waits == Wait::wake_up || waits == Wait::arrivals) && stories_[a].object == stories_[b].object;
}

bool PossibleOrders::commutes_with_thread(EventNumber event, std::uint32_t thread) const {
    const std::vector<EventNumber>& others = by_thread_[thread];
    return std::all_of(others.begin(), others.end(), [&](EventNumber other) { return commute(event, other); });
}

}  // namespace raddle
