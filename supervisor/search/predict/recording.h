// A recorded execution, as a predictor reads it: for each event the locks its thread held, the write that it read, and
// the events that have to come before it; for each lock its critical sections.
#pragma once

#include <span>
#include <vector>

#include "supervisor/search/event_facts.h"

namespace raddle {

class Recording {
public:
    // Longer executions are read up to here.
    static constexpr Position most_events = 400'000;
    // A table of events and threads is not larger. Of an execution with more, the beginning is read.
    static constexpr std::size_t most_clock_words = std::size_t{24} << 20;

    // From the event that took a lock to the one that gave it back; nowhere if none did.
    struct Section {
        ThreadSlot thread;
        Position taken;
        Position given;
        bool shared;
    };

    // The track has to live, unchanged, as long as the recording.
    explicit Recording(const Track& track);

    const Machine& machine() const { return track_.machine(); }
    const Track& track() const { return track_; }
    Position size() const { return size_; }
    bool is_shortened() const { return size_ < track_.size(); }
    const TrackEvent& event(Position i) const { return track_[i]; }

    ThreadSlot threads() const { return threads_; }
    ThreadId name(ThreadSlot thread) const { return machine().thread(thread).id; }
    std::uint32_t events_of(ThreadSlot thread) const { return static_cast<std::uint32_t>(positions_[thread].size()); }
    // The event of the thread with this number, counted from 1.
    Position at(ThreadSlot thread, std::uint32_t number) const { return positions_[thread][number - 1]; }
    // The action that the thread announces after so many events; null if that is unknown.
    const Action* next_of(ThreadSlot thread, std::uint32_t done) const;

    // Of its action.
    std::uint64_t code(Position i) const { return codes_[i]; }
    // Before the event.
    std::span<const HeldLock> held(Position i) const {
        return std::span(held_).subspan(held_begin_[i], held_begin_[i + 1] - held_begin_[i]);
    }
    bool holds(Position i, ObjectSlot lock) const;
    ObjectSlot object(Position i) const { return machine().find_object(event(i).action.object); }
    // An access to memory: the last write of the variable before it; nowhere if there was none.
    Position writer(Position i) const { return writers_[i]; }
    // The critical sections of all locks, in the order in which they began.
    const std::vector<Section>& sections(ObjectSlot lock) const { return sections_[lock]; }
    const std::vector<ObjectSlot>& locks() const { return locks_; }

    // So many events of the thread precede the event at i in every order in which each thread does what it did: those
    // of its own thread, creation, wake-up, the end of a joined thread.
    std::uint32_t order(Position i, ThreadSlot thread) const { return order_[std::size_t{i} * threads_ + thread]; }
    // Those that it also needs to have the result that it had, if each lock gives its critical sections in the order
    // that was recorded.
    std::uint32_t need(Position i, ThreadSlot thread) const { return need_[std::size_t{i} * threads_ + thread]; }
    bool must_precede(Position i, Position j) const { return order(j, event(i).thread) >= event(i).number; }

private:
    struct Uses;
    void follow_locks(Position i, std::vector<std::vector<HeldLock>>& held);
    void follow_order(Position i);
    void follow_needs(Position i, std::vector<Uses>& uses);
    void join(std::vector<std::uint32_t>& clocks, Position i, Position earlier) const;

    const Track& track_;
    Position size_ = 0;
    ThreadSlot threads_ = 0;
    std::vector<std::vector<Position>> positions_;
    std::vector<std::uint64_t> codes_;
    std::vector<std::uint32_t> held_begin_;
    std::vector<HeldLock> held_;
    std::vector<Position> writers_;
    std::vector<std::vector<Section>> sections_;  // by object
    std::vector<ObjectSlot> locks_;
    std::vector<std::uint32_t> order_, need_;
};

}  // namespace raddle
