// What synchronisation orders in an execution (synchronisation.def, and what the machine says enables what), and the
// plain accesses that it leaves unordered. It goes along a track, and back with it: executions that begin alike share
// their beginning.
#pragma once

#include <cstddef>
#include <unordered_map>
#include <vector>

#include "supervisor/trace/track.h"

namespace raddle {

// By events.
struct DataRace {
    std::size_t first = 0, second = 0;

    friend bool operator==(const DataRace&, const DataRace&) = default;
};

class RaceClocks {
public:
    explicit RaceClocks(const Track& track) : track_(track) {}

    // The track's next event. Its variable has to be known as atomic by now, if it ever will.
    void follow();
    void go_back(Position size);
    Position size() const { return static_cast<Position>(marks_.size()); }

    // An atomic instruction touches it; what was followed so far is forgotten, if that is new.
    void know_atomic(const ObjectId& variable);
    // In the order in which they became known.
    const std::vector<ObjectId>& atomics() const { return atomics_; }
    // A plain access has ever written to one of them.
    bool saw_plain_store_to_atomic() const { return plain_store_to_atomic_; }

    // Pairs of plain accesses to one variable that nothing orders, as the second of them came.
    const std::vector<DataRace>& unordered() const { return unordered_; }
    // By what synchronisation orders.
    bool before(Position i, Position j) const {
        return clocks_[std::size_t{j} * stride_ + track_[i].thread] >= track_[i].number;
    }

private:
    using Number = std::uint32_t;  // of an object
    enum Released : std::uint32_t { by_owners, by_sharers, rows_ };
    struct Object {
        bool is_atomic = false;
        std::vector<Position> accessed;  // plainly
    };
    struct Mark {
        std::size_t released, accessed, unordered;
    };
    struct AccessUndo {
        Number object;
        std::uint32_t at;
        Position before;  // nowhere: it was added
    };
    enum class Way : std::uint8_t;
    struct Ways;

    struct HashOfObject {
        std::size_t operator()(const ObjectId& object) const { return static_cast<std::size_t>(hash_of(object)); }
    };
    Number number_of(const ObjectId& object);
    void widen(std::uint32_t threads);
    std::uint32_t* released(Number object, Released whose) { return &released_[(std::size_t{object} * rows_ + whose) * stride_]; }
    void keep(Number object, Released whose);
    void acquire(Number object, Released whose);
    void release(Number object, Released whose);
    void replace(Number object, Released whose);
    void clear(Number object);
    static Ways ways_of(Operation operation);
    void by(Way way, Number object);
    void synchronise(const TrackEvent& event);
    void by_atomic_variable(const TrackEvent& event, Number object);
    void look_for_races(const TrackEvent& event, Position at, Number object);

    const Track& track_;
    std::unordered_map<ObjectId, Number, HashOfObject> numbers_;
    std::vector<Object> objects_;
    std::vector<ObjectId> atomics_;
    bool plain_store_to_atomic_ = false;

    std::uint32_t stride_ = 4;
    std::uint32_t* clock_ = nullptr;          // of the event being followed
    std::vector<std::uint32_t> clocks_;       // by event and thread: how many of its events come before
    std::vector<std::uint32_t> released_;     // by object, and by whom: a clock
    std::vector<std::uint32_t> kept_;         // clocks as they were before …
    std::vector<std::size_t> kept_of_;        // … in these rows of released_
    std::vector<AccessUndo> access_undos_;
    std::vector<DataRace> unordered_;
    std::vector<Mark> marks_;                 // by event: what there was before it
};

}  // namespace raddle
