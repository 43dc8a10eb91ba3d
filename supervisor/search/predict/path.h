// The events of a recording in another order. The path takes them in a machine and compares the results: a thread that
// did what it did in the recording, with the same results, announces the same action again.
#pragma once

#include <functional>
#include <vector>

#include "supervisor/search/predict/recording.h"
#include "supervisor/search/walk.h"

namespace raddle {

class Path {
public:
    enum class Taken : std::uint8_t {
        same,
        other,       // it took effect in another way: nothing is known of its thread any more
        impossible,  // the thread is blocked or gone, or its next action is unknown; nothing was done
    };

    Path(const Recording& recording, MachineOptions options);

    // The thread's next step, in the way that was recorded if that is possible here.
    Taken take(ThreadSlot thread);
    // The thread's next step in this one of its ways.
    Taken take(ThreadSlot thread, std::uint32_t value);
    void back();
    void back_to(Position size) {
        while (track_.size() > size) back();
    }
    // From some first events of the recording, in its order, to the events before `begin`. False if the machine does
    // not allow it.
    bool go_along_to(Position begin);
    // For one that takes steps in it and takes all of them back.
    Track& lend() { return track_; }

    Position size() const { return track_.size(); }
    std::uint32_t done(ThreadSlot thread) const { return done_[thread]; }
    bool is_lost(ThreadSlot thread) const { return is_lost_[thread]; }
    // The recorded event that the thread would take next; nowhere if it is behind the recording.
    Position next(ThreadSlot thread) const {
        return done_[thread] < recording_.events_of(thread) ? recording_.at(thread, done_[thread] + 1) : nowhere;
    }
    // Paths with one state can go on in the same ways. Only for paths whose last step was the same as recorded.
    std::uint64_t state() const { return state_; }
    bool has_ended() const { return track_.machine().ending() != Ending::running; }
    const Track& track() const { return track_; }
    const Machine& machine() const { return track_.machine(); }
    // The thread in this machine; no_slot if it was not created yet.
    ThreadSlot slot(ThreadSlot thread) const { return machine().find_thread(recording_.name(thread)); }

    // Steps taken since the beginning, those taken back included: the measure of all effort.
    std::uint64_t effort() const { return effort_; }

private:
    struct Undo {
        ThreadSlot thread;
        std::uint64_t state;
        ObjectSlot object;  // of the recording; no_slot: its content is unchanged
        std::uint64_t content;
    };

    bool is_as_recorded(const TrackEvent& event, Position recorded) const;
    void note(ThreadSlot thread, Position recorded, bool same);
    std::uint64_t content_after(Position recorded, ObjectSlot object) const;
    Taken push(ThreadSlot thread, ThreadSlot slot, std::uint32_t value);

    const Recording& recording_;
    Track track_;
    std::vector<std::uint32_t> done_;
    std::vector<bool> is_lost_;
    std::vector<std::uint64_t> contents_;  // by object of the recording
    std::vector<Undo> undos_;
    std::uint64_t state_ = 0;
    std::uint64_t effort_ = 0;
};

}  // namespace raddle
