// Memory: a read sees the value that it saw, from a write before it with no other in between.
#include <algorithm>

#include "supervisor/model/update.h"
#include "supervisor/search/symbolic/constraints.h"

namespace raddle {

namespace {

// A variable with more would need too many clauses: the machine alone judges its reads then.
constexpr std::size_t most_clauses = 400'000;

std::uint64_t cut(std::uint64_t value, std::uint8_t attributes) { return value & mask_of_bytes(width_of(attributes)); }

// Behind the event, which wrote.
std::uint64_t value_after(const TrackEvent& event) {
    const Action& action = event.action;
    const auto found = static_cast<std::uint64_t>(event.outcome.result);
    switch (action.operation) {
        case Operation::memory_update:
            return cut(updated(action.update, found, static_cast<std::uint64_t>(action.value())), action.attributes);
        case Operation::memory_exchange: return cut(static_cast<std::uint64_t>(action.desired()), action.attributes);
        default: return cut(static_cast<std::uint64_t>(action.value()), action.attributes);
    }
}

bool sees_value(const Action& action) {
    const MemoryAccess access = traits(action.operation).access;
    return access == MemoryAccess::reads || access == MemoryAccess::updates;
}

}  // namespace

void OrderConstraints::follow_variable(ObjectNumber variable) {
    std::vector<EventNumber> reads, writes;
    const ObjectRecord* const record = at_begin(variable);
    bool all_unknown = true, all_known = record == nullptr || record->state == ObjectState::unknown || !record->flag;
    std::uint32_t width = 0;
    for (const EventNumber event : stories_.objects()[variable].events) {
        const Action& action = stories_.action(event);
        if (traits(action.operation).access == MemoryAccess::no_access) continue;
        if (sees_value(action)) reads.push_back(event);
        if (has_written(*stories_[event].recorded)) writes.push_back(event);
        const bool is_unknown = (action.flags & flag::contents_unknown) != 0;
        const bool replaces = (action.attributes & attribute::memory::replaces_value) != 0;
        const bool is_wide = width != 0 && width != width_of(action.attributes);
        all_unknown = all_unknown && is_unknown;
        all_known = all_known && !is_unknown && !replaces && !is_wide;
        width = width_of(action.attributes);
    }
    if (record != nullptr && record->state == ObjectState::live && !knows_value(*record, width)) all_known = false;
    if (reads.size() * writes.size() * writes.size() > most_clauses) return;
    for (const EventNumber read : reads) {
        if (!all_unknown && !all_known) return;
        Clause clause{-comes(read)};
        const auto seen = static_cast<std::uint64_t>(stories_.outcome(read).result);
        for (const EventNumber write : writes)
            if (all_unknown ? stories_[read].read_from == write : value_after(*stories_[write].recorded) == seen)
                clause.push_back(is_last_write(write, read, writes));
        if (all_unknown ? stories_[read].read_from == no_event : may_be_first_value(variable, width, seen))
            clause.push_back(is_last_write(no_event, read, writes));
        solver_.add(clause);
    }
}

// Before the first write.
bool OrderConstraints::may_be_first_value(ObjectNumber variable, std::uint32_t width, std::uint64_t value) const {
    const ObjectRecord* const record = at_begin(variable);
    if (record != nullptr && record->state == ObjectState::live) return value_of(*record, width, 0) == value;
    const std::vector<EventNumber>& events = stories_.objects()[variable].events;
    return std::any_of(events.begin(), events.end(), [&](EventNumber event) {
        const Action& action = stories_.action(event);
        return traits(action.operation).access != MemoryAccess::no_access &&
               cut(action.initial_value(), action.attributes) == value;
    });
}

// The write (none: what was there before) comes before the read, and all others before it or behind the read.
auto OrderConstraints::is_last_write(EventNumber write, EventNumber read, const std::vector<EventNumber>& writes)
    -> Literal {
    if (write == read) return OrderSolver::never;
    const Literal comes_first = comes_before(write, read);
    if (comes_first == OrderSolver::never) return OrderSolver::never;
    Clause others;
    for (const EventNumber other : writes) {
        if (other == write || other == read) continue;
        const Literal first = write == no_event ? OrderSolver::never : before(other, write);
        const Literal behind = not_before(other, read);
        if (first == OrderSolver::always || behind == OrderSolver::always) continue;
        others.push_back(first == OrderSolver::never ? behind : either({first, behind}));
        if (others.back() == OrderSolver::never) return OrderSolver::never;
    }
    if (others.empty()) return comes_first;
    const Literal last = solver_.fresh();
    solver_.add({-last, comes_first});
    for (const Literal other : others) solver_.add({-last, other});
    return last;
}

}  // namespace raddle
