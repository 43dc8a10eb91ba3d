// Semaphores, conditions, futexes, barriers and once-controls: a wait ends because of another event.
#include <algorithm>

#include "supervisor/model/kinds.h"
#include "supervisor/search/symbolic/constraints.h"

namespace raddle {

// The nearest event before it, of its thread, with this operation.
EventNumber OrderConstraints::earlier(EventNumber event, Operation operation) const {
    EventNumber at = stories_[event].previous;
    while (at != no_event && stories_.action(at).operation != operation) at = stories_[at].previous;
    return at;
}

// ---- semaphores

void OrderConstraints::count_units(ObjectNumber semaphore) {
    const ObjectRecord* const record = at_begin(semaphore);
    Units units{record == nullptr ? 0 : record->count, true, {}, {}};
    const std::vector<EventNumber>& events = stories_.objects()[semaphore].events;
    std::vector<EventNumber> inits;
    for (const EventNumber event : events) {
        const Operation operation = stories_.action(event).operation;
        if (!stories_.is_done(event)) continue;
        if (operation == Operation::sem_post) units.added.push_back(event);
        if (operation == Operation::sem_wait || operation == Operation::sem_trywait) units.taken.push_back(event);
        if (operation == Operation::sem_init) inits.push_back(event);
    }
    // The initialisation forgets what was before. So there are at most as many units as without that.
    for (const EventNumber init : inits) {
        units.base += stories_.action(init).initial_count();
        units.is_exact = units.is_exact && inits.size() == 1 && units.base == stories_.action(init).initial_count() &&
                         std::all_of(events.begin(), events.end(), [&](EventNumber event) {
                             return event == init || stories_.must_precede(init, event);
                         });
    }
    for (const EventNumber event : events) {
        const ActionOutcome& outcome = stories_.outcome(event);
        switch (stories_.action(event).operation) {
            case Operation::sem_wait:
            case Operation::sem_trywait:
                if (outcome.effect == Effect::done) have_at_least(units, 1, event);
                if (outcome.effect == Effect::failed || outcome.effect == Effect::timed_out)
                    have_at_most(units, 0, event);
                break;
            case Operation::sem_getvalue:
                have_at_least(units, outcome.result, event);
                have_at_most(units, outcome.result, event);
                break;
            default: break;
        }
    }
}

void OrderConstraints::have_at_least(const Units& units, std::int64_t count, EventNumber event) {
    Clause one_each;
    for (const EventNumber added : units.added) one_each.push_back(comes_before(added, event));
    std::int64_t wanted = count - units.base;
    for (const EventNumber taken : units.taken) {
        if (taken == event) continue;
        one_each.push_back(not_before(taken, event));
        ++wanted;
    }
    if (wanted > 0) solver_.add_at_least(static_cast<std::uint32_t>(wanted), one_each, -comes(event));
}

void OrderConstraints::have_at_most(const Units& units, std::int64_t count, EventNumber event) {
    if (!units.is_exact) return;
    Clause one_each;
    std::int64_t wanted = units.base - count;
    for (const EventNumber added : units.added) {
        one_each.push_back(not_before(added, event));
        ++wanted;
    }
    for (const EventNumber taken : units.taken)
        if (taken != event) one_each.push_back(comes_before(taken, event));
    if (wanted > 0) solver_.add_at_least(static_cast<std::uint32_t>(wanted), one_each, -comes(event));
}

// ---- conditions

void OrderConstraints::follow_condition(ObjectNumber condition) {
    if (begin_.options().spurious_wakeups) return;
    const std::vector<QueuedWait> waits = waits_on(condition);
    std::vector<EventNumber> signals;
    for (const EventNumber event : stories_.objects()[condition].events)
        if (stories_.what(event).ends == Wait::wake_up) signals.push_back(event);
    std::vector<Wake> wakes;
    for (const EventNumber signal : signals) {
        if (!stories_.is_done(signal)) continue;
        for (std::size_t i = 0; i < waits.size(); ++i) {
            const EventNumber wait = waits[i].wait;
            if (wait != no_event && (stories_.exclude(wait, signal) || stories_.must_precede(signal, wait))) continue;
            const Literal holds = solver_.fresh();
            solver_.add({-holds, comes(signal)});
            solver_.add({-holds, comes_before(wait, signal)});
            wakes.push_back({signal, i, holds});
        }
    }
    for (std::size_t i = 0; i < waits.size(); ++i) follow_wait(waits[i], i, wakes);
    for (const EventNumber signal : signals) follow_signal(signal, waits, wakes);
}

// The threads that stand in the queue at some time.
auto OrderConstraints::waits_on(ObjectNumber condition) const -> std::vector<QueuedWait> {
    std::vector<QueuedWait> waits;
    const ObjectSlot slot = begin_.find_object(stories_.objects()[condition].id);
    for (ThreadSlot thread = 0; slot != no_slot && thread < begin_.thread_count(); ++thread) {
        if (begin_.thread(thread).waits_on != slot) continue;
        const std::uint32_t number = stories_.find_thread(begin_.thread(thread).id);
        waits.push_back({number, no_event, {}, {}});
        if (number < stories_.threads().size()) waits.back().left = stories_.threads()[number].first;
    }
    for (const EventNumber event : stories_.objects()[condition].events)
        if (stories_.action(event).operation == Operation::cond_wait && stories_.is_done(event))
            waits.push_back({stories_[event].thread, event, {}, stories_[event].next});
    for (const EventNumber event : stories_.objects()[condition].events) {
        if (stories_.action(event).operation != Operation::cond_wake || !stories_.is_done(event)) continue;
        const EventNumber wait = earlier(event, Operation::cond_wait);
        for (QueuedWait& one : waits)
            if (one.wait == wait && one.thread == stories_[event].thread) one.woken.push_back(event);
    }
    return waits;
}

void OrderConstraints::follow_wait(const QueuedWait& wait, std::size_t number, const std::vector<Wake>& wakes) {
    Clause none_but_one;
    for (const Wake& wake : wakes)
        if (wake.wait == number) none_but_one.push_back(-wake.holds);
    if (none_but_one.size() > 1)
        solver_.add_at_least(static_cast<std::uint32_t>(none_but_one.size()) - 1, none_but_one, OrderSolver::never);
    for (const EventNumber woken : wait.woken) {
        Clause clause{-comes(woken)};
        for (const Wake& wake : wakes) {
            if (wake.wait != number) continue;
            clause.push_back(wake.holds);
            solver_.add({-wake.holds, -comes(woken), before(wake.signal, woken)});
        }
        solver_.add(clause);
    }
}

void OrderConstraints::follow_signal(EventNumber signal, const std::vector<QueuedWait>& waits,
                                     const std::vector<Wake>& wakes) {
    if (stories_.is_done(signal)) {
        Clause some{-comes(signal)}, none_but_one;
        for (const Wake& wake : wakes)
            if (wake.signal == signal) some.push_back(wake.holds), none_but_one.push_back(-wake.holds);
        solver_.add(some);
        if (stories_.action(signal).operation == Operation::cond_signal && none_but_one.size() > 1)
            solver_.add_at_least(static_cast<std::uint32_t>(none_but_one.size()) - 1, none_but_one, OrderSolver::never);
        return;
    }
    // Nobody waited.
    for (std::size_t i = 0; i < waits.size(); ++i) {
        Clause clause{-comes(signal), not_before(waits[i].wait, signal)};
        for (const EventNumber left : waits[i].left) clause.push_back(comes_before(left, signal));
        for (const Wake& wake : wakes)
            if (wake.wait == i) clause.push_back(both(wake.holds, before(wake.signal, signal)));
        solver_.add(clause);
    }
}

// ---- futexes

bool OrderConstraints::was_signalled_at_begin(EventNumber event) const {
    const ThreadSlot slot = slot_of(stories_[event].thread);
    return slot != no_slot && begin_.thread(slot).signalled;
}

// A waiter may be moved to another queue: any wake-up may be its own.
void OrderConstraints::follow_queue(ObjectNumber futex) {
    const std::vector<EventNumber>& events = stories_.objects()[futex].events;
    for (const EventNumber event : events) {
        if (stories_.what(event).waits != Wait::wake_up || !stories_.is_done(event)) continue;
        const EventNumber entered = earlier(event, Operation::futex_enter);
        const EventNumber looked = earlier(event, Operation::state_enter);
        if ((entered == no_event && looked == no_event) || was_signalled_at_begin(event)) continue;
        const bool is_futex = looked == no_event || (entered != no_event && stories_.must_precede(looked, entered));
        Clause clause{-comes(event)};
        for (const EventNumber other : events)
            if (stories_.what(other).ends == Wait::wake_up && stories_.is_done(other))
                clause.push_back(both(comes_before(other, event), before(is_futex ? entered : looked, other)));
        solver_.add(clause);
    }
}

// ---- barriers

void OrderConstraints::follow_barrier(ObjectNumber barrier) {
    const std::vector<EventNumber>& events = stories_.objects()[barrier].events;
    std::vector<EventNumber> arrivals, last_arrivals, inits;
    for (const EventNumber event : events) {
        const Operation operation = stories_.action(event).operation;
        if (operation == Operation::barrier_init) inits.push_back(event);
        if (operation != Operation::barrier_wait || !stories_.is_done(event)) continue;
        arrivals.push_back(event);
        if (stories_.outcome(event).result == error::barrier_serial) last_arrivals.push_back(event);
    }
    for (const EventNumber event : events) {
        if (stories_.what(event).waits != Wait::arrivals || !stories_.is_done(event)) continue;
        const EventNumber arrival = earlier(event, Operation::barrier_wait);
        if (arrival == no_event) continue;  // it stood there when the stories began
        Clause clause{-comes(event)};
        for (const EventNumber last : last_arrivals)
            clause.push_back(both(comes_before(last, event), before(arrival, last)));
        solver_.add(clause);
    }
    const ObjectRecord* const record = at_begin(barrier);
    std::int64_t missing = record != nullptr ? std::int64_t{record->limit} - record->count : 0;
    if (inits.size() == 1 && record == nullptr) missing = stories_.action(inits[0]).initial_count();
    if (inits.size() > 1 || (inits.size() == 1 && record != nullptr)) return;
    for (const EventNumber last : last_arrivals) {
        Clause before_it;
        for (const EventNumber arrival : arrivals)
            if (arrival != last) before_it.push_back(comes_before(arrival, last));
        if (missing > 1) solver_.add_at_least(static_cast<std::uint32_t>(missing) - 1, before_it, -comes(last));
    }
}

// ---- once-controls

// A thread that finds the initialisation done comes after its end.
void OrderConstraints::follow_once(ObjectNumber once) {
    if (at_begin(once) != nullptr) return;
    const std::vector<EventNumber>& events = stories_.objects()[once].events;
    for (const EventNumber event : events) {
        if (stories_.action(event).operation != Operation::once_begin) continue;
        if (stories_.outcome(event).effect != Effect::failed) continue;
        Clause clause{-comes(event)};
        for (const EventNumber other : events)
            if (stories_.what(other).ends == Wait::initialised) clause.push_back(comes_before(other, event));
        solver_.add(clause);
    }
}

}  // namespace raddle
