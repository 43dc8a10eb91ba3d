#include "supervisor/search/symbolic/possible_orders.h"

#include <algorithm>
#include <utility>

#include "supervisor/trace/neighbours.h"

namespace raddle {

namespace {

// The machine gives up an answer that can be taken in too many ways.
constexpr std::uint64_t most_steps = 100'000;

}  // namespace

PossibleOrders::PossibleOrders(const Stories& stories, Track& begin, OrderSolver& solver, const Options& options)
    : stories_(stories),
      track_(begin),
      solver_(solver),
      options_(options),
      constraints_(stories, begin.machine(), solver),
      by_thread_(stories.threads().size()),
      runs_(stories.threads().size()) {
    for (EventNumber event = 0; event < stories.size(); ++event) by_thread_[stories[event].thread].push_back(event);
    constraints_.add_all();
    if (options_.length == 0) return;
    give_places();
    if (options_.peephole != Peephole::off) forbid_neighbours();
}

std::optional<Schedule> PossibleOrders::next(std::uint64_t most_effort) {
    if (found_.empty()) solve({}, most_effort);
    return take_found();
}

std::optional<Schedule> PossibleOrders::find(const Question& question, std::uint64_t most_effort) {
    is_asked_ = solver_.fresh();
    goes_on_ = question.goes_on;
    Clause literals{is_asked_};
    for (const EventNumber event : question.with) literals.push_back(constraints_.comes(event));
    for (const EventNumber event : question.without) literals.push_back(-constraints_.comes(event));
    is_done_ = false;
    found_.clear();
    solve(literals, most_effort);
    return take_found();
}

std::optional<Schedule> PossibleOrders::take_found() {
    if (found_.empty()) return std::nullopt;
    Schedule schedule = std::move(found_.front());
    found_.pop_front();
    return schedule;
}

// Until a schedule is found.
void PossibleOrders::solve(const Clause& literals, std::uint64_t most_effort) {
    const std::uint64_t before = solver_.effort();
    gave_up_ = false;
    while (found_.empty() && !is_done_ && !gave_up_) {
        const std::uint64_t used = solver_.effort() - before;
        const OrderSolver::Answer answer =
            used < most_effort ? solver_.solve(literals, most_effort - used) : OrderSolver::Answer::unknown;
        is_done_ = answer == OrderSolver::Answer::no;
        gave_up_ = answer == OrderSolver::Answer::unknown;
        if (answer != OrderSolver::Answer::yes) break;
        ++counts_.answers;
        read_order();
        refusal_.clear();
        is_redundant_ = false;
        steps_left_ = most_steps;
        replay(0);
        gave_up_ = steps_left_ == 0 && found_.empty();
        const bool is_refused = found_.empty() && !is_redundant_;
        counts_.impossible += is_refused ? 1 : 0;
        counts_.redundant += found_.empty() && is_redundant_ ? 1 : 0;
        if (is_refused)
            solver_.add(refusal_);
        else if (options_.length > 0)
            forbid_this_order();
    }
}

// ---- places

// The events of the order have the places from 0 on, and all others come behind.
void PossibleOrders::give_places() {
    Clause all, none;
    for (EventNumber event = 0; event < stories_.size(); ++event) {
        const Literal comes = constraints_.comes(event);
        all.push_back(comes);
        none.push_back(-comes);
        Clause places{-comes};
        for (std::uint32_t place = 0; place < options_.length; ++place) places.push_back(solver_.is_at(event, place));
        solver_.add(places);
        solver_.add({comes, solver_.is_at(event, options_.length)});
        for (EventNumber other = 0; other < event; ++other)
            solver_.add({-comes, -constraints_.comes(other), constraints_.before(event, other),
                         constraints_.before(other, event)});
    }
    solver_.add_at_least(options_.length, all, OrderSolver::never);
    if (options_.length < stories_.size())
        solver_.add_at_least(stories_.size() - options_.length, none, OrderSolver::never);
}

void PossibleOrders::forbid_this_order() {
    Clause clause;
    for (std::uint32_t place = 0; place < order_.size(); ++place)
        clause.push_back(-solver_.is_at(order_[place], place));
    solver_.add(clause);
}

// ---- the machine takes an answer

void PossibleOrders::read_order() {
    order_.clear();
    for (EventNumber event = 0; event < stories_.size(); ++event)
        if (solver_.holds(constraints_.comes(event))) order_.push_back(event);
    std::vector<std::pair<std::int64_t, EventNumber>> places;
    for (const EventNumber event : order_) places.emplace_back(solver_.place(event), event);
    std::sort(places.begin(), places.end());
    for (std::size_t i = 0; i < places.size(); ++i) order_[i] = places[i].second;
    last_write_.assign(stories_.objects().size(), no_event);
}

void PossibleOrders::replay(std::size_t at) {
    if (steps_left_ == 0 || (options_.length == 0 && !found_.empty())) return;
    if (at == order_.size()) return end_replay();
    const EventNumber event = order_[at];
    Machine& machine = track_.machine();
    const ThreadSlot slot = machine.find_thread(stories_.thread_of(event));
    const bool is_announced = slot != no_slot && machine.thread(slot).life == Life::announced &&
                              machine.thread(slot).pending == stories_.action(event) && !machine.exceeds_threads(slot);
    if (!is_announced) return explain(at, event, no_slot);
    set_recorded_amount(machine, slot, *stories_[event].recorded);
    const std::uint32_t ways = machine.alternatives(slot).count;
    bool is_possible = false;
    for (std::uint32_t way = 0; way < ways; ++way) replay_way(at, slot, way, is_possible);
    // Which ways there are, and where each leads, also depends on what the event touches.
    if (!is_possible || ways > 1) explain(at, event, slot);
}

void PossibleOrders::replay_way(std::size_t at, ThreadSlot slot, std::uint32_t way, bool& is_possible) {
    if (steps_left_ == 0) return;
    --steps_left_;
    ++steps_;
    const EventNumber number = order_[at];
    const StoryEvent& story = stories_[number];
    const TrackEvent& event = track_.push(slot, way);
    if (is_outcome_of(*story.recorded, event.outcome) && sees_its_write(number)) {
        is_possible = true;
        const bool goes_on = !event.outcome.continues && !event.outcome.ends_thread;
        if (goes_on && story.follows) track_.announce(slot, *story.follows);
        // The first event has no neighbour before it: what precedes the stories keeps its place.
        if (options_.peephole != Peephole::off && at > 0 && has_neighbours_to_swap(track_)) {
            is_redundant_ = true;
        } else {
            const bool writes = story.object != no_object && has_written(*story.recorded);
            const EventNumber before = writes ? std::exchange(last_write_[story.object], number) : no_event;
            schedule_.push_back({stories_.thread_of(number), way});
            replay(at + 1);
            schedule_.pop_back();
            if (writes) last_write_[story.object] = before;
        }
    }
    track_.pop();
}

bool PossibleOrders::sees_its_write(EventNumber event) const {
    const StoryEvent& story = stories_[event];
    return !reads_unseen(stories_.action(event)) || last_write_[story.object] == story.read_from;
}

void PossibleOrders::end_replay() {
    if (goes_on_) {
        const ThreadSlot slot = track_.machine().find_thread(*goes_on_);
        const bool can = slot != no_slot && track_.machine().can_run(slot) && !track_.machine().exceeds_threads(slot);
        if (!can) return explain(order_.size(), no_event, slot);
    }
    found_.push_back(schedule_);
}

// ---- why an answer is impossible

// The objects that decide how the event goes on, or, without one, the thread's next step.
std::vector<bool> PossibleOrders::touched(EventNumber event, ThreadSlot slot) const {
    const Machine& machine = track_.machine();
    std::vector<bool> objects(stories_.objects().size(), false);
    const auto touch = [&](const ObjectId& id, Kind kind) {
        const ObjectNumber object = stories_.find_object(id, kind);
        if (object != no_object) objects[object] = true;
    };
    if (event != no_event)
        for (const ObjectNumber object : stories_[event].touches) objects[object] = true;
    const ThreadRecord& thread = machine.thread(slot);
    const OperationTraits& what = traits(thread.pending.operation);
    touch(thread.pending.object, what.object == FirstObject::mark ? Kind::thread : what.kind);
    touch(thread.pending.second, what.second_kind);
    if (uses_cancel_mark(thread.pending)) touch(cancel_object(thread.id), Kind::thread);
    if (can_time_out(thread.pending) || what.kind == Kind::process) touch(process_object(), Kind::process);
    ObjectUse uses[most_uses];
    const std::uint8_t count = machine.pending_uses(slot, uses);
    for (std::uint8_t i = 0; i < count; ++i) {
        const ObjectRecord& object = machine.object(uses[i].object);
        touch(object.id, object.kind);
    }
    return objects;
}

// Adds to the refusal: one of the events before comes later or not at all, two of them come in the other order, or
// another one comes before. Without a slot all events count.
void PossibleOrders::explain(std::size_t at, EventNumber event, ThreadSlot slot) {
    const bool depends_on_all = slot == no_slot || track_.machine().options().max_threads != 0;
    const std::vector<bool> objects = depends_on_all ? std::vector<bool>() : touched(event, slot);
    const auto counts = [&](EventNumber other) {
        const std::vector<ObjectNumber>& own = stories_[other].touches;
        return depends_on_all ||
               std::any_of(own.begin(), own.end(), [&](ObjectNumber object) { return objects[object]; });
    };
    std::vector<bool> is_before(stories_.size(), false);
    EventNumber last = no_event;
    refusal_.push_back(event != no_event ? -constraints_.comes(event) : -is_asked_);
    for (std::size_t i = 0; i < at; ++i) {
        const EventNumber other = order_[i];
        is_before[other] = true;
        if (!counts(other)) continue;
        refusal_.push_back(-constraints_.comes(other));
        if (event != no_event) refusal_.push_back(constraints_.before(event, other));
        if (last != no_event) refusal_.push_back(constraints_.before(other, last));
        last = other;
    }
    for (EventNumber other = 0; other < stories_.size(); ++other)
        if (other != event && !is_before[other] && counts(other))
            refusal_.push_back(event == no_event ? constraints_.comes(other) : constraints_.comes_before(other, event));
}

}  // namespace raddle
