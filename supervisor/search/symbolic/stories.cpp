#include "supervisor/search/symbolic/stories.h"

#include <algorithm>

namespace raddle {

namespace {

// Waiters move from one queue to another, and bytes from one descriptor to another: such objects count as one.
ObjectId name_of(const ObjectId& id, Kind kind) {
    if (kind == Kind::futex) return object_in(Space::tool, ~std::uint64_t{0}, 1);
    if (kind == Kind::descriptor) return object_in(Space::tool, ~std::uint64_t{0}, 2);
    return id;
}

bool names_nothing(const ObjectId& id) { return id == ObjectId{}; }

}  // namespace

std::uint32_t Stories::find_thread(ThreadId id) const {
    std::uint32_t number = 0;
    while (number < threads_.size() && !(threads_[number].id == id)) ++number;
    return number;
}

std::vector<EventNumber> Stories::with_number(ThreadId thread, std::uint32_t number) const {
    std::vector<EventNumber> events;
    for (EventNumber event = 0; event < size(); ++event)
        if (thread_of(event) == thread && events_[event].recorded->number == number) events.push_back(event);
    return events;
}

std::uint32_t Stories::thread_number(ThreadId id) {
    const std::uint32_t number = find_thread(id);
    if (number == threads_.size()) threads_.push_back({id, {}});
    return number;
}

ObjectNumber Stories::find_object(const ObjectId& id, Kind kind) const {
    const auto known = numbers_.find(name_of(id, kind));
    return known == numbers_.end() ? no_object : known->second;
}

ObjectNumber Stories::object_number(const ObjectId& id, Kind kind) {
    const ObjectId name = name_of(id, kind);
    const auto [entry, is_new] = numbers_.try_emplace(name, static_cast<ObjectNumber>(objects_.size()));
    if (is_new) objects_.push_back({name, {}, false});
    return entry->second;
}

void Stories::add(const Track& track, Position begin, Position end) {
    const Machine& machine = track.machine();
    std::vector<EventNumber> last(machine.thread_count(), no_event);
    std::vector<bool> is_out(machine.thread_count(), false);  // it did otherwise than the story says
    std::unordered_map<ObjectSlot, EventNumber> written;
    for (Position i = begin; i < std::min(end, track.size()); ++i) {
        const TrackEvent& event = track[i];
        if (is_out[event.thread]) continue;
        const EventNumber previous = last[event.thread];
        const std::uint32_t thread = thread_number(machine.thread(event.thread).id);
        const bool agrees =
            previous == no_event || !events_[previous].follows || events_[previous].follows == event.action;
        if ((is_out[event.thread] = !agrees)) continue;
        const ObjectSlot object = machine.find_object(event.action.object);
        const auto writer = written.find(object);
        const bool is_unseen = reads_unseen(event.action) && writer != written.end();
        const EventNumber number = story_of(thread, previous, is_unseen ? writer->second : no_event, event);
        last[event.thread] = number;
        if (object != no_slot && has_written(event)) written[object] = number;
        StoryEvent& story = events_[number];
        if (story.touches.empty()) describe(story, machine);
        if (story.follows || event.outcome.continues || event.outcome.ends_thread) continue;
        const ThreadRecord& record = machine.thread(event.thread);
        if (event.number < record.events)
            story.follows = track[track.position_of(event.thread, event.number + 1)].action;
        else if (record.life == Life::announced)
            story.follows = record.pending;
    }
}

// The event, which may be known from another execution.
EventNumber Stories::story_of(std::uint32_t thread, EventNumber previous, EventNumber read_from,
                              const TrackEvent& event) {
    const std::vector<EventNumber>& known = previous == no_event ? threads_[thread].first : events_[previous].next;
    for (const EventNumber one : known)
        if (events_[one].read_from == read_from && action(one) == event.action &&
            is_outcome_of(*events_[one].recorded, event.outcome))
            return one;
    const EventNumber number = size();
    StoryEvent& story = events_.emplace_back();
    story.thread = thread;
    story.previous = previous;
    story.read_from = read_from;
    story.recorded = &event;
    (previous == no_event ? threads_[thread].first : events_[previous].next).push_back(number);
    return number;
}

void Stories::describe(StoryEvent& story, const Machine& machine) {
    const Action& action = story.recorded->action;
    const OperationTraits& what = traits(action.operation);
    const ThreadId thread = threads_[story.thread].id;
    const auto number = static_cast<EventNumber>(&story - events_.data());
    const auto touch = [&](const ObjectId& id, Kind kind) {
        const ObjectNumber object = object_number(id, kind);
        if (std::find(story.touches.begin(), story.touches.end(), object) == story.touches.end())
            story.touches.push_back(object);
        return object;
    };
    const Kind first = what.object == FirstObject::mark ? Kind::thread : what.kind;
    if (!names_nothing(action.object)) story.object = touch(action.object, first);
    if (!names_nothing(action.second)) story.second = touch(action.second, what.second_kind);
    if (uses_cancel_mark(action)) touch(cancel_object(thread), Kind::thread);
    if (can_time_out(action) || what.kind == Kind::process) touch(process_object(), Kind::process);
    const ActionOutcome& outcome = story.recorded->outcome;
    for (std::uint8_t i = 0; i < outcome.use_count; ++i) {
        const ObjectRecord& object = machine.object(outcome.uses[i].object);
        // What commutes only in some states is taken to depend.
        const bool is_guarded = i == 0 && what.guarded != Mode::none && outcome.effect == Effect::done;
        story.uses.push_back({touch(object.id, object.kind), is_guarded ? Mode::exclusive : outcome.uses[i].mode});
    }
    for (const ObjectNumber object : story.touches) {
        objects_[object].events.push_back(number);
        if (outcome.misuse != Misuse::none) objects_[object].has_misuse = true;
    }
}

bool Stories::exclude(EventNumber a, EventNumber b) const {
    return a != b && events_[a].thread == events_[b].thread && !must_precede(a, b) && !must_precede(b, a);
}

// ---- what must precede

void Stories::finish() {
    words_ = (size() + 63) / 64;
    precedes_.assign(words_ * size(), 0);
    for (EventNumber number = 0; number < size(); ++number) note_predecessors(number);
}

void Stories::note_predecessors(EventNumber number) {
    const StoryEvent& story = events_[number];
    if (story.previous != no_event) join_predecessors(number, {story.previous});
    std::vector<EventNumber> enders;
    const Wait waits = what(number).waits;
    const bool is_created = waits == Wait::creation;
    if (!is_created && !(waits == Wait::thread_end && is_done(number))) return;
    const ObjectId object = is_created ? thread_object(thread_of(number)) : action(number).object;
    const ObjectNumber known = find_object(object, Kind::thread);
    if (known == no_object) return;
    for (const EventNumber other : objects_[known].events) {
        const bool is_its = is_created ? events_[other].object == known : thread_of(other) == raddle::thread_of(object);
        if (what(other).ends == waits && is_its) enders.push_back(other);
    }
    join_predecessors(number, enders);
}

// One of these comes before, and with it all that must come before it.
void Stories::join_predecessors(EventNumber number, const std::vector<EventNumber>& one_of) {
    // An event of a later execution has a higher number, and its predecessors are not known yet.
    if (one_of.empty() || std::any_of(one_of.begin(), one_of.end(), [&](EventNumber one) { return one >= number; }))
        return;
    for (std::size_t word = 0; word < words_; ++word) {
        std::uint64_t all = ~std::uint64_t{0};
        for (const EventNumber one : one_of) {
            const std::uint64_t itself = one / 64 == word ? std::uint64_t{1} << one % 64 : 0;
            all &= precedes_[one * words_ + word] | itself;
        }
        precedes_[number * words_ + word] |= all;
    }
}

}  // namespace raddle
