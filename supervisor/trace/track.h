// A track: a path of events through a Machine that can be extended and taken back, with what the searches ask of it:
// which event happens before which (vector clocks), who touched an object last, the hash of each event's causal past,
// and the hash of the whole graph. All of it incremental: an event costs about the number of threads it concerns.
//
// By value (Independence::values) a past is what its thread saw: of memory the value, not who wrote it, nor when. So a
// path has a graph, which says what the threads saw, and a node, which says in addition what memory holds for those who
// look next. What time it is belongs to a past where its thread looked at the clock, and to the node once it matters.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "supervisor/base/hash.h"
#include "supervisor/model/machine.h"

namespace raddle {

// Memory for a Machine of the supervisor; CHECKs rather than running on without.
void* supervisor_memory(void* old, std::size_t old_bytes, std::size_t new_bytes);

using Position = std::uint32_t;
inline constexpr Position nowhere = 0xffffffffu;

struct TrackEvent {
    ThreadSlot thread = no_slot;
    std::uint32_t number = 0;       // it is its thread's n-th event
    std::uint32_t value = 0;
    std::uint32_t ways = 1;         // how many alternatives there were
    Position block = 0;             // where the events that its thread did without a break began: behind another
                                    // thread's, or where it let time run out, and leaving it was free
    Position previous = nowhere;    // its thread's event before
    Position join = nowhere;        // the last in its block that waited for the end of a thread and saw it
    Action action{};                // as announced
    Outcome outcome{};
    Hash128 past{};                 // names the event with all that happens before it
    Hash128 graph_before{};
    Machine::Mark mark = 0;
    std::uint32_t undo = 0;
};

class Track {
public:
    explicit Track(MachineOptions options);

    // Main is about to do its first action.
    void start(const Action& first);
    bool started() const { return started_; }
    // Back to before start().
    void reset();

    const TrackEvent& push(ThreadSlot thread, std::uint32_t value);
    // After push: what the thread does next, unless outcome.continues or outcome.ends_thread.
    void announce(ThreadSlot thread, const Action& next) { machine_.announce(thread, next); }
    void pop();
    void pop_to(Position size) {
        while (events_.size() > size) pop();
    }

    Machine& machine() { return machine_; }
    const Machine& machine() const { return machine_; }
    Position size() const { return static_cast<Position>(events_.size()); }
    const TrackEvent& operator[](Position i) const { return events_[i]; }
    Hash128 graph() const { return graph_; }
    // Names all that the rest of an execution depends on: two paths with one node can go on in the same ways.
    Hash128 node() const { return by_value_ ? node_by_value() : graph_; }
    bool goes_by_value() const { return by_value_; }
    // From now on nodes differ if times do. (They differ nearly always, and matter only to those who wait or look.)
    void let_time_matter() { time_matters_ = true; }
    bool time_matters() const { return time_matters_; }
    ThreadSlot last_thread() const { return events_.empty() ? no_slot : events_.back().thread; }

    // The position of a thread's last event.
    Position last_of(ThreadSlot thread) const { return thread < lasts_.size() ? lasts_[thread] : nowhere; }
    Position position_of(ThreadSlot thread, std::uint32_t number) const { return positions_[thread][number - 1]; }

    // How many events of `thread` happen before the event at i, itself included.
    std::uint32_t clock(Position i, ThreadSlot thread) const {
        return thread < stride_ ? clocks_[std::size_t{i} * stride_ + thread] : 0;
    }
    // The event at i happens before the event at j, or is it.
    bool before(Position i, Position j) const { return clock(j, events_[i].thread) >= events_[i].number; }
    // The event at i happens before what the thread did last, or is that.
    bool before_thread(Position i, ThreadSlot thread) const {
        const Position last = last_of(thread);
        return last != nowhere && before(i, last);
    }

    // Where a thread touched an object last.
    struct LastAccess {
        Position any = nowhere;
        Position exclusive = nowhere;
        // In a way that depends on an access in this mode; nowhere if it did not.
        Position dependent(Mode mode) const { return mode == Mode::exclusive ? any : exclusive; }
    };
    // By thread, as far as threads touched it.
    std::span<const LastAccess> last_accesses(ObjectSlot object) const {
        return object < objects_.size() ? std::span<const LastAccess>(objects_[object].last) : std::span<const LastAccess>();
    }
    Position last_dependent(ObjectSlot object, Mode mode, ThreadSlot thread) const {
        const std::span<const LastAccess> last = last_accesses(object);
        return thread < last.size() ? last[thread].dependent(mode) : nowhere;
    }

    // All accesses to an object so far, in order.
    struct Accessed {
        Position at;
        Mode mode;
    };
    const std::vector<Accessed>& accesses(ObjectSlot object) const {
        static const std::vector<Accessed> none;
        return object < objects_.size() ? objects_[object].log : none;
    }

private:
    struct ObjectTrack {
        std::uint64_t name = 0;     // a hash of its id
        Position last_exclusive = nowhere;
        Hash128 exclusive_past{};   // of the last exclusive access
        Hash128 shared_pasts{};     // sum over the shared ones since
        Hash128 content{};          // by value only: what the memory holds
        std::vector<LastAccess> last;  // by thread
        std::vector<Accessed> log;
    };
    struct Undo {
        ObjectSlot object;
        ThreadSlot thread;
        LastAccess last;
        Position last_exclusive;
        Hash128 exclusive_past;
        Hash128 shared_pasts;
    };

    void meet_thread(ThreadSlot thread);
    void meet_object(ObjectSlot object);
    void widen(std::uint32_t threads);
    void join(std::uint32_t* clock, Position i) const;
    void order(const TrackEvent& event, Position at);
    void name(TrackEvent& event);
    void note_accesses(const TrackEvent& event, Position at);
    bool has_value(ObjectSlot object) const;
    bool sees_value(Operation operation, ObjectSlot object) const;
    void add_what_was_seen(const TrackEvent& event, ObjectSlot object, Hasher& hasher) const;
    void note_content(ObjectSlot object);
    Hash128 node_by_value() const;

    Machine machine_;
    std::vector<TrackEvent> events_;
    std::vector<std::uint32_t> clocks_;             // a row of `stride_` for each event; what is beyond them is garbage
    std::uint32_t stride_ = 4;
    std::vector<std::uint64_t> names_;              // by thread, a hash of its id
    std::vector<Position> lasts_;                   // by thread
    std::vector<std::vector<Position>> positions_;  // by thread, of its n-th event
    std::vector<ObjectTrack> objects_;
    std::vector<Undo> undos_;
    const bool by_value_;
    bool time_matters_ = false;
    std::vector<Hash128> undo_contents_;  // by value only: as many as undos_
    Hash128 contents_{};                  // of all memory
    Hash128 graph_{1, 0};           // never the zero hash, which tables take for "no key"
    bool started_ = false;
};

}  // namespace raddle
