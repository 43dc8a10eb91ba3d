// A track is a path of events through a Machine. A search pushes events at its end and pops them again. The track
// answers the questions of a search: which event happens before which (vector clocks), which event used an object last,
// the hash of each event's causal past, and the hash of the whole graph. All answers are incremental: an event costs
// about the number of threads it concerns.
//
// The graph names the path: two paths with one graph differ only in the order of commuting events. The node names the
// state: two paths with one node can continue in the same ways. Graph and node are the same under the plain
// independence relation. Under Independence::values a past holds the values that its thread read, not the writers of
// these values. The graph is then the set of these pasts, and the node adds the contents of memory. The time is part of
// a past if its thread read the clock, and part of the node once let_time_matter() was called.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "supervisor/base/hash.h"
#include "supervisor/model/machine.h"

namespace raddle {

// Allocates for a Machine of the supervisor; a CHECK fails if memory ends.
void* supervisor_memory(void* old, std::size_t old_bytes, std::size_t new_bytes);

using Position = std::uint32_t;
inline constexpr Position nowhere = 0xffffffffu;

struct TrackEvent {
    ThreadSlot thread = no_slot;
    std::uint32_t number = 0;  // counts the thread's events, from 1
    std::uint32_t value = 0;
    std::uint32_t ways = 1;       // the number of alternatives there were
    Position block = 0;           // the first of the consecutive events of this thread up to here; a time-out
                                  // starts a new block, too, as leaving the thread there is free
    Position previous = nowhere;  // the previous event of its thread
    Position join = nowhere;      // the last successful join in its block
    Action action{};              // as announced
    ActionOutcome outcome{};
    Hash128 past{};                     // a hash of the event and all that happens before it
    std::uint32_t since = 0;            // the epoch since which that has been the same; see search/knowledge.h
    std::uint32_t announced_since = 0;  // of its action alone
    Hash128 graph_before{};
    Machine::Mark mark = 0;
    std::uint32_t undo = 0;
};

class Track {
public:
    // Without `undoes` it never pops events, only resets, and needs much less memory.
    explicit Track(MachineOptions options, bool undoes = true);

    // The main thread announces its first action.
    void start(const Action& first, std::uint32_t since = 0);
    bool started() const { return started_; }
    // Back to before start().
    void reset();

    const TrackEvent& push(ThreadSlot thread, std::uint32_t value);
    // Call it after push() with the thread's next action, unless outcome.continues or outcome.ends_thread. `since`: the
    // epoch since which the action has been known to follow.
    void announce(ThreadSlot thread, const Action& next, std::uint32_t since = 0) {
        machine_.announce(thread, next);
        note_since(thread, since);
    }
    void pop();
    void pop_to(Position size) {
        while (events_.size() > size) pop();
    }

    // For one that follows executions: how many first events it has called its own and that were not popped since.
    Position kept(const void* owner) const { return owner_ == owner ? kept_ : 0; }
    void keep(Position count, const void* owner) {
        kept_ = count;
        owner_ = owner;
    }

    Machine& machine() { return machine_; }
    const Machine& machine() const { return machine_; }
    Position size() const { return events_.size(); }
    const TrackEvent& operator[](Position i) const { return events_[i]; }
    Hash128 graph() const { return graph_; }
    // Two paths with one node can continue in the same ways.
    Hash128 node() const { return by_value_ ? node_by_value() : graph_; }
    bool goes_by_value() const { return by_value_; }
    // Nodes include the time from now on. It differs nearly always, and matters only to timed waits and clock reads.
    void let_time_matter() { time_matters_ = true; }
    bool time_matters() const { return time_matters_; }
    ThreadSlot last_thread() const { return size() == 0 ? no_slot : events_[size() - 1].thread; }

    // The position of a thread's last event.
    Position last_of(ThreadSlot thread) const { return thread < lasts_.size() ? lasts_[thread] : nowhere; }
    // Of its last event before this position.
    Position last_before(ThreadSlot thread, Position end) const {
        Position last = last_of(thread);
        while (last != nowhere && last >= end) last = events_[last].previous;
        return last;
    }
    Position position_of(ThreadSlot thread, std::uint32_t number) const { return positions_[thread][number - 1]; }

    // The number of events of `thread` that happen before the event at i; the event itself counts.
    std::uint32_t clock(Position i, ThreadSlot thread) const {
        return thread < stride_ ? clocks_[i * stride_ + thread] : 0;
    }
    // The event at i happens before the event at j, or is it.
    bool before(Position i, Position j) const { return clock(j, events_[i].thread) >= events_[i].number; }
    // The event at i happens before the thread's last event, or is it.
    bool before_thread(Position i, ThreadSlot thread) const {
        const Position last = last_of(thread);
        return last != nowhere && before(i, last);
    }

    // The last uses of an object by one thread.
    struct LastUse {
        Position exclusive = nowhere, shared = nowhere, counts = nowhere;
        // The last use that does not commute with a use in this mode.
        Position dependent(Mode mode) const {
            Position last = exclusive;
            if (mode != Mode::shared) last = later_of(last, shared);
            if (mode != Mode::counts) last = later_of(last, counts);
            return last;
        }
        void set(Mode mode, Position at) {
            (mode == Mode::exclusive ? exclusive : mode == Mode::shared ? shared : counts) = at;
        }

    private:
        static Position later_of(Position a, Position b) { return a == nowhere ? b : b == nowhere ? a : a > b ? a : b; }
    };
    // By thread; threads beyond the end never used it.
    std::span<const LastUse> last_uses(ObjectSlot object) const {
        return object < objects_.size() ? std::span<const LastUse>(objects_[object].last) : std::span<const LastUse>();
    }
    Position last_dependent(ObjectSlot object, Mode mode, ThreadSlot thread) const {
        const std::span<const LastUse> last = last_uses(object);
        return thread < last.size() ? last[thread].dependent(mode) : nowhere;
    }

    // All uses of an object so far, in order.
    struct UsedAt {
        Position at;
        Mode mode;
    };
    const std::vector<UsedAt>& uses_of(ObjectSlot object) const {
        static const std::vector<UsedAt> none;
        return object < objects_.size() ? objects_[object].log : none;
    }

private:
    // The uses of an object, one after the other, fall into groups that commute: one exclusive use, or some shared
    // ones, or some that count. A use depends on all of the group before its own, and thereby on all before that.
    struct Groups {
        Mode mode = Mode::none;   // of the present group; none: the object was never used
        std::uint32_t begin = 0;  // of the present group in the log, and of the one before it
        std::uint32_t previous = 0;
        // The same for pasts. By value, uses that only see a value have no place in them.
        Mode mode_of_pasts = Mode::none;
        Hash128 pasts{};           // the sum of the pasts of the present group
        Hash128 previous_pasts{};  // the same for the one before it
    };
    struct ObjectTrack {
        std::uint64_t name = 0;  // a hash of its id
        Groups groups;
        Hash128 content{};          // by value only: a hash of the object's content
        std::vector<LastUse> last;  // by thread
        std::vector<UsedAt> log;

        Hash128 pasts_before(Mode mode) const {
            return commute(groups.mode_of_pasts, mode) ? groups.previous_pasts : groups.pasts;
        }
        // Of the last write of memory; zero if there is none.
        Hash128 last_write() const {
            return groups.mode_of_pasts == Mode::exclusive ? groups.pasts : groups.previous_pasts;
        }
    };
    struct Undo {
        ObjectSlot object;
        ThreadSlot thread;
        LastUse last;
        Groups groups;
    };

    std::uint32_t* clock_at(Position i) { return &clocks_[i * stride_]; }
    const std::uint32_t* clock_at(Position i) const { return &clocks_[i * stride_]; }
    void add_thread(ThreadSlot thread);
    void add_object(ObjectSlot object);
    void widen(std::uint32_t threads, Position rows);
    void note_since(ThreadSlot thread, std::uint32_t since) {
        if (since != 0 && announced_since_.size() <= thread) announced_since_.resize(thread + 1, 0);
        if (thread < announced_since_.size()) announced_since_[thread] = since;
    }
    void join(TrackEvent& event, std::uint32_t* clock, Position i) const;
    void compute_clock(TrackEvent& event, Position at);
    void compute_past(TrackEvent& event, bool was_usable);
    void note_accesses(const TrackEvent& event, Position at, bool was_usable);
    bool has_value(ObjectSlot object) const;
    bool sees_value(Operation operation, ObjectSlot object) const;
    bool is_usable(const Action& action, ObjectSlot slot) const;
    bool sees_only_its_failure(const TrackEvent& event, std::uint8_t use, bool was_usable) const;
    void add_what_was_seen(const TrackEvent& event, ObjectSlot object, Hasher& hasher) const;
    void note_content(ObjectSlot object);
    Hash128 node_by_value() const;

    Machine machine_;
    Sequence<TrackEvent> events_{supervisor_memory};
    Sequence<std::uint32_t> clocks_{supervisor_memory};  // a row of `stride_` for each event; later rows are garbage
    std::uint32_t clock_words_ = 0;                      // there is room for so many
    std::uint32_t stride_ = 4;
    std::vector<std::uint64_t> names_;              // by thread: a hash of its id
    std::vector<Position> lasts_;                   // by thread: its last event
    std::vector<std::vector<Position>> positions_;  // by thread: its events
    std::vector<ObjectTrack> objects_;
    std::vector<std::uint32_t> announced_since_;  // by thread: of its next action; 0 beyond the end
    Sequence<Undo> undos_{supervisor_memory};
    const bool undoes_;
    const bool by_value_;
    const bool semaphores_by_value_;
    bool time_matters_ = false;
    std::vector<Hash128> undo_contents_;         // by value only: as many as undos_
    Hash128 contents_{};                         // of all memory
    static constexpr Hash128 empty_graph{1, 0};  // never zero: tables use the zero hash as "no key"
    Hash128 graph_ = empty_graph;
    Position kept_ = 0;
    const void* owner_ = nullptr;
    bool started_ = false;
};

}  // namespace raddle
