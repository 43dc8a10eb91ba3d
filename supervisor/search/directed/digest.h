// The digest of an execution: for each event its code, the locks its thread held and the events that must come before
// it in every schedule; for each object the uses that look alike.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "supervisor/search/directed/candidate.h"
#include "supervisor/search/event_facts.h"

namespace raddle {

class Digest {
public:
    // Uses of one object by the same code under the same locks.
    struct Group {
        std::uint64_t code;
        std::uint64_t locks;
        Mode mode;
        std::vector<Position> at;
    };
    // Longer executions are read up to here: the events at the beginning recur in nearly all programs.
    static constexpr Position most_events = 100'000;
    static constexpr std::size_t most_groups = 32;  // of one object

    // The track has to live, unchanged, as long as the digest is asked.
    void read(const Track& track);

    const Track& track() const { return *track_; }
    Position size() const { return size_; }
    const TrackEvent& event(Position i) const { return (*track_)[i]; }
    EventReference reference(Position i) const {
        return {track_->machine().thread(event(i).thread).id, event(i).number};
    }
    // The same for events of the same code: the place in the program, or the operation and its object.
    std::uint64_t code(Position i) const { return codes_[i]; }
    // Before the event.
    std::span<const HeldLock> held(Position i) const {
        return std::span(held_).subspan(held_begin_[i], held_begin_[i + 1] - held_begin_[i]);
    }
    // No schedule has the event at j before the event at i: the same thread, creation, wake-up, or a join.
    bool must_precede(Position i, Position j) const;
    // The value in memory before the access, and after it.
    std::optional<std::uint64_t> value_before(Position i) const { return before_[i]; }
    std::optional<std::uint64_t> value_after(Position i) const { return after_[i]; }

    std::vector<Group> groups_of(ObjectSlot object) const;
    // The event takes a lock, and this is the lock; no_slot otherwise.
    ObjectSlot taken_by(Position i) const;

private:
    void read_event(Position i);
    void follow_locks(Position i, std::vector<std::vector<HeldLock>>& held);
    void follow_order(Position i);
    void follow_value(Position i);
    ObjectSlot slot_of(const ObjectId& object) const { return track_->machine().find_object(object); }

    const Track* track_ = nullptr;
    Position size_ = 0;
    std::vector<std::uint64_t> codes_;
    std::vector<std::uint64_t> lock_hashes_;
    std::vector<std::uint32_t> held_begin_;
    std::vector<HeldLock> held_;
    std::uint32_t threads_ = 0;          // 0: too many events to keep clocks
    std::vector<std::uint32_t> clocks_;  // by event and thread: the thread's events that must precede
    std::vector<std::optional<std::uint64_t>> before_, after_;
    std::vector<std::optional<std::uint64_t>> contents_;  // by object
};

}  // namespace raddle
