// Locks: of two critical sections that exclude each other, one ends before the other begins.
#include <algorithm>

#include "supervisor/model/kinds.h"
#include "supervisor/search/event_facts.h"
#include "supervisor/search/symbolic/constraints.h"

namespace raddle {

// ---- the critical sections of all threads

void OrderConstraints::find_sections() {
    sections_.resize(stories_.objects().size());
    struct Way {
        EventNumber event;
        std::vector<Open> open;
    };
    std::vector<Way> ways;
    for (ThreadSlot slot = 0; slot < begin_.thread_count(); ++slot) {
        const std::uint32_t thread = stories_.find_thread(begin_.thread(slot).id);
        const std::vector<Open> open = open_at_begin(slot);
        if (thread == stories_.threads().size()) continue;
        for (const EventNumber first : stories_.threads()[thread].first) ways.push_back({first, open});
    }
    for (const Stories::Thread& thread : stories_.threads())
        if (begin_.find_thread(thread.id) == no_slot)
            for (const EventNumber first : thread.first) ways.push_back({first, {}});
    while (!ways.empty()) {
        Way way = std::move(ways.back());
        ways.pop_back();
        follow_locks(way.event, way.open);
        for (const EventNumber next : stories_[way.event].next) ways.push_back({next, way.open});
    }
}

// The locks that the thread of the machine holds.
auto OrderConstraints::open_at_begin(ThreadSlot slot) -> std::vector<Open> {
    std::vector<Open> open;
    const std::uint32_t thread = stories_.find_thread(begin_.thread(slot).id);
    const auto begin_section = [&](ObjectNumber lock, bool is_shared) {
        open.push_back({lock, sections_[lock].size()});
        sections_[lock].push_back({thread, no_event, {}, is_shared});
    };
    for (ObjectNumber lock = 0; lock < stories_.objects().size(); ++lock) {
        const ObjectRecord* const record = at_begin(lock);
        if (record == nullptr || record->state != ObjectState::live || !is_lock(record->kind)) continue;
        if (record->owner == slot)
            for (std::uint32_t i = 0; i < std::max(record->kind == Kind::mutex ? record->count : 1, 1u); ++i)
                begin_section(lock, false);
        if (record->kind != Kind::rwlock) continue;
        const ObjectSlot hold = begin_.find_object(hold_of(begin_, slot, record->id));
        if (hold == no_slot) continue;
        for (std::uint32_t i = 0; i < begin_.object(hold).count; ++i) begin_section(lock, true);
    }
    return open;
}

void OrderConstraints::follow_locks(EventNumber event, std::vector<Open>& open) {
    if (!stories_.is_done(event)) return;
    const OperationTraits& what = stories_.what(event);
    if (is_lock(what.kind)) follow_lock(event, stories_[event].object, what.lock, open);
    if (is_lock(what.second_kind)) follow_lock(event, stories_[event].second, what.second_lock, open);
}

void OrderConstraints::follow_lock(EventNumber event, ObjectNumber lock, LockChange change, std::vector<Open>& open) {
    if (lock == no_object) return;
    std::vector<Section>& sections = sections_[lock];
    if (takes_lock(change)) {
        open.push_back({lock, sections.size()});
        sections.push_back({stories_[event].thread, event, {}, change == LockChange::takes_shared});
    }
    if (!gives_lock(change)) return;
    const auto last = std::find_if(open.rbegin(), open.rend(), [&](const Open& one) { return one.lock == lock; });
    if (last == open.rend()) return;
    sections[last->section].given.push_back(event);
    open.erase(std::next(last).base());
}

// ---- the conditions

void OrderConstraints::exclude_sections(ObjectNumber lock, Kind kind) {
    const std::vector<Section>& sections = sections_[lock];
    for (std::size_t i = 0; i < sections.size(); ++i)
        for (std::size_t j = 0; j < i; ++j)
            if (sections[i].thread != sections[j].thread && !(sections[i].is_shared && sections[j].is_shared))
                exclude(sections[i], sections[j]);
    const std::vector<EventNumber>& events = stories_.objects()[lock].events;
    const ObjectRecord* const record = at_begin(lock);
    const bool has_queue = (kind == Kind::rwlock && record != nullptr && record->waiters > 0) ||
                           std::any_of(events.begin(), events.end(), [&](EventNumber event) {
                               return stories_.what(event).lock == LockChange::queues;
                           });
    if (has_queue) return;  // readers also wait for a writer that only queues
    for (const EventNumber event : events)
        if (stories_[event].object == lock && takes_lock(stories_.what(event).lock)) see_taken(event, lock);
}

void OrderConstraints::exclude(const Section& one, const Section& other) {
    Clause clause;
    if (one.taken != no_event) clause.push_back(-comes(one.taken));
    if (other.taken != no_event) clause.push_back(-comes(other.taken));
    if (clause.empty()) return;  // both are open where the stories begin: the machine lets only readers do that
    for (const EventNumber given : one.given) clause.push_back(comes_before(given, other.taken));
    for (const EventNumber given : other.given) clause.push_back(comes_before(given, one.taken));
    solver_.add(clause);
}

// An event that did not get the lock because another thread had it.
void OrderConstraints::see_taken(EventNumber event, ObjectNumber lock) {
    const ActionOutcome& outcome = stories_.outcome(event);
    const bool is_busy = outcome.effect == Effect::failed && outcome.result == error::busy;
    if (!is_busy && outcome.effect != Effect::timed_out) return;
    const bool is_shared = stories_.what(event).lock == LockChange::takes_shared;
    Clause clause{-comes(event)};
    for (const Section& section : sections_[lock]) {
        if (section.is_shared && is_shared) continue;
        if (section.thread == stories_[event].thread) {
            if (is_sure_inside(section, event)) return;
        } else {
            clause.push_back(is_inside(section, event));
        }
    }
    solver_.add(clause);
}

// Of its own thread.
bool OrderConstraints::is_sure_inside(const Section& section, EventNumber event) const {
    const bool has_begun = section.taken == no_event || stories_.must_precede(section.taken, event);
    return has_begun && std::none_of(section.given.begin(), section.given.end(),
                                     [&](EventNumber given) { return stories_.must_precede(given, event); });
}

auto OrderConstraints::is_inside(const Section& section, EventNumber event) -> Literal {
    Literal inside = comes_before(section.taken, event);
    for (const EventNumber given : section.given) inside = both(inside, not_before(given, event));
    return inside;
}

}  // namespace raddle
