// Vector clocks of synchronisation, as in DJIT and FastTrack (Flanagan and Freund, PLDI 2009), and the plain accesses
// that they leave unordered. operation.def (columns `order`) says which operations acquire and release. The clocks
// follow a track forward and back, so that executions with a common prefix share its cost.
#pragma once

#include <cstddef>
#include <unordered_map>
#include <vector>

#include "supervisor/trace/track.h"

namespace raddle {

// The positions of the two accesses.
struct DataRace {
    std::size_t first = 0, second = 0;

    friend bool operator==(const DataRace&, const DataRace&) = default;
};

// The events that order others: all synchronisation, or calls alone. Without atomic instructions, their accesses can be
// unordered, too.
enum class Ordering : std::uint8_t { by_calls_and_atomics, by_calls };

class RaceClocks {
public:
    explicit RaceClocks(const Track& track, Ordering ordering = Ordering::by_calls_and_atomics)
        : track_(track), ordering_(ordering) {}

    // Takes the track's next event. Atomic variables must be known before.
    void follow();
    void go_back(Position size);
    Position size() const { return static_cast<Position>(marks_.size()); }

    // Marks a variable as atomic. A new one sends the clocks back to the beginning.
    void add_atomic(const ObjectId& variable);
    // In the order of their discovery.
    const std::vector<ObjectId>& atomics() const { return atomics_; }
    // Some plain access wrote to an atomic variable, in any execution.
    bool saw_plain_store_to_atomic() const { return plain_store_to_atomic_; }

    // Pairs of unordered plain accesses to one variable, in the order of the second access.
    const std::vector<DataRace>& unordered() const { return unordered_; }
    // Synchronisation orders the event at i before the event at j.
    bool before(Position i, Position j) const {
        return clocks_[std::size_t{j} * stride_ + track_[i].thread] >= track_[i].number;
    }

private:
    using Number = std::uint32_t;  // of an object
    enum Released : std::uint32_t { by_owners, by_sharers, rows_ };
    struct Object {
        bool is_atomic = false;
        std::vector<Position> accessed;  // by plain accesses
    };
    struct Mark {
        std::size_t released, accessed, unordered;
    };
    struct AccessUndo {
        Number object;
        std::uint32_t at;
        Position before;  // nowhere: the entry was added
    };

    struct HashOfObject {
        std::size_t operator()(const ObjectId& object) const { return static_cast<std::size_t>(hash_of(object)); }
    };
    Number number_of(const ObjectId& object);
    void widen(std::uint32_t threads);
    std::uint32_t* released(Number object, Released whose) {
        return &released_[(std::size_t{object} * rows_ + whose) * stride_];
    }
    void save_row(Number object, Released whose);
    void acquire(Number object, Released whose);
    void release(Number object, Released whose);
    void replace(Number object, Released whose);
    void clear(Number object);
    void follow(OrderChange order, Number object);
    void synchronise(const TrackEvent& event);
    void access_atomic(const TrackEvent& event, Number object);
    void look_for_races(const TrackEvent& event, Position at, Number object);

    const Track& track_;
    const Ordering ordering_;
    std::unordered_map<ObjectId, Number, HashOfObject> numbers_;
    std::vector<Object> objects_;
    std::vector<ObjectId> atomics_;
    bool plain_store_to_atomic_ = false;

    std::uint32_t stride_ = 4;
    std::uint32_t* clock_ = nullptr;       // of the event being followed
    std::vector<std::uint32_t> clocks_;    // by event and thread: the number of the thread's earlier events
    std::vector<std::uint32_t> released_;  // by object and kind of releaser: a clock
    std::vector<std::uint32_t> saved_;     // overwritten clocks, for going back
    std::vector<std::size_t> saved_rows_;  // their rows in released_
    std::vector<AccessUndo> access_undos_;
    std::vector<DataRace> unordered_;
    std::vector<Mark> marks_;  // by event: the sizes of the undo stacks before it
};

}  // namespace raddle
