// What each thread does, as recorded executions show it: a tree of events. A thread that has seen the results on the
// way to an event does that event next. Executions that agree share the beginnings of their trees.
//
// An order of such events is possible if the machine takes them so and each has the result that was recorded.
#pragma once

#include <optional>
#include <unordered_map>
#include <vector>

#include "supervisor/search/symbolic/as_recorded.h"

namespace raddle {

using EventNumber = std::uint32_t;  // of an event of the stories
inline constexpr EventNumber no_event = 0xffffffffu;
using ObjectNumber = std::uint32_t;
inline constexpr ObjectNumber no_object = 0xffffffffu;

struct StoryEvent {
    struct Use {
        ObjectNumber object;
        Mode mode;
    };

    std::uint32_t thread = 0;              // its number in Stories::threads()
    EventNumber previous = no_event;       // of its thread; none: the first one
    std::vector<EventNumber> next;         // the ways in which its thread goes on: one of them at most
    std::optional<Action> follows;         // what its thread announces after it
    EventNumber read_from = no_event;      // only if it reads_unseen(): the write that it read; none: a value before
    const TrackEvent* recorded = nullptr;  // in the first execution that has it
    ObjectNumber object = no_object, second = no_object;  // of its action
    std::vector<Use> uses;
    std::vector<ObjectNumber> touches;  // all objects that its result may depend on, or that it may change
};

class Stories {
public:
    struct Thread {
        ThreadId id;
        std::vector<EventNumber> first;  // one of them at most
    };
    struct ObjectStory {
        ObjectId id;
        std::vector<EventNumber> events;  // that touch it
        bool has_misuse = false;
    };

    // The events in [begin, end). All executions have the same events before `begin`, in the same order. The track has
    // to live, unchanged.
    void add(const Track& track, Position begin = 0, Position end = nowhere);

    EventNumber size() const { return static_cast<EventNumber>(events_.size()); }
    const StoryEvent& operator[](EventNumber number) const { return events_[number]; }
    const Action& action(EventNumber number) const { return events_[number].recorded->action; }
    const ActionOutcome& outcome(EventNumber number) const { return events_[number].recorded->outcome; }
    const OperationTraits& what(EventNumber number) const { return traits(action(number).operation); }
    bool is_done(EventNumber number) const { return outcome(number).effect == Effect::done; }

    const std::vector<Thread>& threads() const { return threads_; }
    ThreadId thread_of(EventNumber number) const { return threads_[events_[number].thread].id; }
    std::uint32_t find_thread(ThreadId id) const;  // its number, or threads().size()
    const std::vector<ObjectStory>& objects() const { return objects_; }
    // The events that may be the thread's n-th, in the executions.
    std::vector<EventNumber> with_number(ThreadId thread, std::uint32_t number) const;
    // no_object: no event touches it.
    ObjectNumber find_object(const ObjectId& id, Kind kind) const;

    // Whether the first precedes the second in every order in which both come.
    bool must_precede(EventNumber first, EventNumber second) const {
        return (precedes_[second * words_ + first / 64] >> first % 64 & 1) != 0;
    }
    // One of both at most comes: their thread went another way.
    bool exclude(EventNumber a, EventNumber b) const;
    // Call it after the last add().
    void finish();

private:
    EventNumber story_of(std::uint32_t thread, EventNumber previous, EventNumber read_from, const TrackEvent& event);
    void describe(StoryEvent& event, const Machine& machine);
    std::uint32_t thread_number(ThreadId id);
    ObjectNumber object_number(const ObjectId& id, Kind kind);
    void note_predecessors(EventNumber number);
    void join_predecessors(EventNumber number, const std::vector<EventNumber>& one_of);

    std::vector<StoryEvent> events_;
    std::vector<Thread> threads_;
    std::vector<ObjectStory> objects_;
    struct HashOfId {
        std::size_t operator()(const ObjectId& id) const { return hash_of(id); }
    };
    std::unordered_map<ObjectId, ObjectNumber, HashOfId> numbers_;
    std::vector<std::uint64_t> precedes_;  // a row of bits for each event
    std::size_t words_ = 0;
};

}  // namespace raddle
