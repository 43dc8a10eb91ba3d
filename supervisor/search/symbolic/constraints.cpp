#include "supervisor/search/symbolic/constraints.h"

#include <algorithm>

#include "supervisor/model/kinds.h"

namespace raddle {

OrderConstraints::OrderConstraints(const Stories& stories, const Machine& begin, OrderSolver& solver)
    : stories_(stories), begin_(begin), solver_(solver) {
    comes_.reserve(stories.size());
    for (EventNumber event = 0; event < stories.size(); ++event) comes_.push_back(solver.fresh());
}

// ---- literals

auto OrderConstraints::before(EventNumber a, EventNumber b) const -> Literal {
    if (a == no_event) return OrderSolver::always;
    if (b == no_event || a == b || stories_.exclude(a, b) || stories_.must_precede(b, a)) return OrderSolver::never;
    return stories_.must_precede(a, b) ? OrderSolver::always : solver_.before(a, b);
}

auto OrderConstraints::both(Literal a, Literal b) -> Literal {
    if (a == OrderSolver::never || b == OrderSolver::never) return OrderSolver::never;
    if (a == OrderSolver::always) return b;
    if (b == OrderSolver::always) return a;
    const Literal both = solver_.fresh();
    solver_.add({-both, a});
    solver_.add({-both, b});
    return both;
}

// Only used where it has to hold, so what follows from its opposite need not be said. The same holds for both().
auto OrderConstraints::either(const Clause& of) -> Literal {
    if (of.size() == 1) return of[0];
    if (std::find(of.begin(), of.end(), OrderSolver::always) != of.end()) return OrderSolver::always;
    const Literal either = solver_.fresh();
    Clause clause = of;
    clause.push_back(-either);
    solver_.add(clause);
    return either;
}

auto OrderConstraints::comes_before(EventNumber a, EventNumber b) -> Literal {
    if (a == no_event) return OrderSolver::always;
    if (b == no_event || a == b || stories_.exclude(a, b)) return OrderSolver::never;
    const auto [known, is_new] = comes_before_.try_emplace(std::uint64_t{a} << 32 | b);
    if (is_new) known->second = both(comes(a), before(a, b));
    return known->second;
}

auto OrderConstraints::not_before(EventNumber a, EventNumber b) -> Literal {
    if (a == no_event || stories_.must_precede(a, b)) return a == no_event ? OrderSolver::never : -comes(a);
    if (a == b || stories_.exclude(a, b)) return OrderSolver::always;
    const auto [known, is_new] = not_before_.try_emplace(std::uint64_t{a} << 32 | b);
    if (is_new) known->second = either({-comes(a), before(b, a)});
    return known->second;
}

// ---- threads

void OrderConstraints::add_all() {
    follow_threads();
    find_sections();
    for (ObjectNumber object = 0; object < stories_.objects().size(); ++object) {
        for (const Kind lock : {Kind::mutex, Kind::spin, Kind::rwlock})
            if (is_usual(object, lock)) exclude_sections(object, lock);
        if (is_usual(object, Kind::semaphore)) count_units(object);
        if (is_usual(object, Kind::condition)) follow_condition(object);
        if (is_usual(object, Kind::futex)) follow_queue(object);
        if (is_usual(object, Kind::barrier)) follow_barrier(object);
        if (is_usual(object, Kind::once)) follow_once(object);
        if (is_usual(object, Kind::memory)) follow_variable(object);
    }
}

void OrderConstraints::follow_threads() {
    for (EventNumber event = 0; event < stories_.size(); ++event) {
        const StoryEvent& story = stories_[event];
        if (story.previous != no_event) {
            solver_.add({-comes(event), comes(story.previous)});
            solver_.add({-comes(event), solver_.before(story.previous, event)});
        }
        const std::vector<EventNumber>& ways =
            story.previous == no_event ? stories_.threads()[story.thread].first : stories_[story.previous].next;
        for (const EventNumber other : ways)
            if (other < event) solver_.add({-comes(event), -comes(other)});
        if (stories_.what(event).waits == Wait::creation) follow_creation(event);
        if (stories_.what(event).waits == Wait::thread_end) follow_join(event);
        if (stories_.what(event).kind == Kind::process) follow_end(event);
    }
}

void OrderConstraints::follow_creation(EventNumber event) {
    const ThreadId thread = stories_.thread_of(event);
    const ThreadSlot slot = begin_.find_thread(thread);
    if (slot != no_slot && begin_.thread(slot).life != Life::unborn) return;
    Clause created{-comes(event)};
    if (const ObjectNumber object = stories_.find_object(thread_object(thread), Kind::thread); object != no_object)
        for (const EventNumber other : stories_.objects()[object].events)
            if (stories_.what(other).ends == Wait::creation && stories_[other].object == object) {
                created.push_back(comes_before(other, event));
                solver_.add({-comes(event), -comes(other), solver_.before(other, event)});
            }
    solver_.add(created);
}

void OrderConstraints::follow_join(EventNumber event) {
    const ThreadId joined = raddle::thread_of(stories_.action(event).object);
    const ThreadSlot slot = begin_.find_thread(joined);
    const bool has_ended = slot != no_slot && begin_.thread(slot).life == Life::ended;
    const bool is_busy =
        stories_.outcome(event).effect == Effect::failed && stories_.outcome(event).result == error::busy;
    if (stories_.outcome(event).misuse != Misuse::none || (!stories_.is_done(event) && !is_busy)) return;
    Clause ended{-comes(event)};
    if (has_ended && stories_.is_done(event)) return;
    const ObjectNumber object = stories_.find_object(thread_object(joined), Kind::thread);
    if (object != no_object)
        for (const EventNumber other : stories_.objects()[object].events) {
            if (stories_.what(other).ends != Wait::thread_end || !(stories_.thread_of(other) == joined)) continue;
            if (is_busy) {
                solver_.add({-comes(event), not_before(other, event)});
                continue;
            }
            ended.push_back(comes_before(other, event));
            solver_.add({-comes(event), -comes(other), solver_.before(other, event)});
        }
    if (!is_busy) solver_.add(ended);
}

// The process ends once. Other threads go on in the machine (model/process.cpp), but no wait runs out of time any more.
void OrderConstraints::follow_end(EventNumber end) {
    if (!stories_.is_done(end)) return;
    for (EventNumber other = 0; other < stories_.size(); ++other) {
        if (other == end || stories_.exclude(end, other)) continue;
        if (stories_.what(other).kind == Kind::process && stories_.is_done(other) && other < end)
            solver_.add({-comes(end), -comes(other)});
        if (stories_.outcome(other).effect == Effect::timed_out)
            solver_.add({-comes(end), -comes(other), before(other, end)});
    }
}

// ---- objects

const ObjectRecord* OrderConstraints::at_begin(ObjectNumber object) const {
    const ObjectSlot slot = begin_.find_object(stories_.objects()[object].id);
    return slot == no_slot ? nullptr : &begin_.object(slot);
}

// Events use it, all of them as this kind, and none misuses it: the conditions of the kind hold.
bool OrderConstraints::is_usual(ObjectNumber object, Kind kind) const {
    const Stories::ObjectStory& story = stories_.objects()[object];
    if (story.has_misuse || story.events.empty()) return false;
    const auto is_this_kind = [&](EventNumber event) {
        const OperationTraits& what = stories_.what(event);
        const bool as_first = stories_[event].object == object && what.kind == kind;
        const bool as_second = stories_[event].second == object && what.second_kind == kind;
        const bool awaits_it = what.waits == Wait::change && what.access == MemoryAccess::no_access;
        return as_first || as_second || (kind == Kind::memory && awaits_it);
    };
    if (!std::all_of(story.events.begin(), story.events.end(), is_this_kind)) return false;
    const ObjectRecord* const known = at_begin(object);
    return known == nullptr || known->state == ObjectState::unknown ||
           (known->state == ObjectState::live && known->kind == kind);
}

}  // namespace raddle
