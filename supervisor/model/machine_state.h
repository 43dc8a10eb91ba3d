// The state of the machine: its threads and objects, and the journal by which it goes back. The files of the kinds
// change it; machine.h says what can happen next.
#pragma once

#include "supervisor/model/records.h"
#include "supervisor/model/table.h"

namespace raddle {

struct MachineOptions {
    Independence independence = Independence::fine;
    bool spurious_wakeups = false;
    // A wait of at least this length (nanoseconds of virtual time) times out only if nothing else can happen first.
    std::uint64_t patience = unlimited;

    // By value: the search looks for data races, which one order of posts and waits may hide. They keep their order
    // then.
    bool looks_for_races = false;

    // An execution ends where it would create more threads, main among them; 0: no limit.
    std::uint32_t max_threads = 0;

    // There are choices only where the thread that would go on is inside the focus (flag::inside).
    bool has_focus = false;

    static constexpr std::uint64_t unlimited = ~std::uint64_t{0};
    constexpr bool limits_patience() const { return patience != unlimited; }
};

// How an execution ended, as far as the machine knows. Livelock: no thread can go on, and one spins.
enum class Ending : std::uint8_t { running, exited, finished, deadlock, failed, livelock, crashed, replaced };

class MachineState {
public:
    MachineState(const MachineState&) = delete;
    MachineState& operator=(const MachineState&) = delete;

    // Starts again with a running main thread. It keeps its memory.
    void reset();

    std::uint32_t thread_count() const { return threads_.size(); }
    std::uint32_t object_count() const { return objects_.size(); }
    const ThreadRecord& thread(ThreadSlot slot) const { return threads_[slot]; }
    const ObjectRecord& object(ObjectSlot slot) const { return objects_[slot]; }
    ObjectSlot find_object(const ObjectId& id) const { return objects_.find(id); }
    ThreadSlot find_thread(ThreadId id) const { return threads_.find(id); }
    ThreadSlot slot_of(ThreadId thread);  // the thread is unborn if the machine never saw it
    ObjectSlot object_slot(const ObjectId& id);
    ThreadId next_child(ThreadSlot slot) const { return child_of(threads_[slot].id, threads_[slot].children + 1); }
    bool out_of_memory() const { return out_of_memory_; }
    const MachineOptions& options() const { return options_; }

    ObjectSlot process() const { return process_; }
    std::int64_t exit_status() const { return object(process_).value; }
    // The process has ended; other threads may still go on (process.cpp).
    bool process_has_ended() const { return object(process_).flag; }
    Ending how_process_ended() const { return static_cast<Ending>(object(process_).count); }

    // The last variables that the thread read, each once, the newest first. Returns their number, at most `most`.
    std::uint32_t last_variables(ThreadSlot slot, std::uint32_t most, VariableRead (&out)[max_last_reads]) const;

    // ---- changes
    // The thread read this.
    void note_read(ThreadSlot slot, const VariableRead& read);
    ThreadRecord& change(ThreadSlot slot) {
        ThreadRecord& thread = threads_[slot];
        if (journalling_ && thread.journalled != marks_) keep_old(slot, thread);
        return thread;
    }
    ObjectRecord& change_object(ObjectSlot slot) {
        ObjectRecord& object = objects_[slot];
        if (journalling_ && object.journalled != marks_) keep_old(slot, object);
        return object;
    }
    // The object as this kind. A new object becomes live; a destroyed one is a misuse.
    ObjectRecord& use_object(ThreadSlot thread, ObjectSlot slot, Kind kind, ActionOutcome& outcome);
    void make_live(ObjectSlot slot, Kind kind, std::uint8_t attributes);
    // The thread is about to do this, whatever should come first (Machine::announce).
    void set_pending(ThreadSlot slot, const Action& action);
    // The thread's call continues with this action.
    void follow_up(ThreadSlot thread, const Action& action, ActionOutcome& outcome);
    // The pending action can time out: from when on.
    static void set_deadline(ThreadRecord& thread);
    // The event that is being applied creates `enabled`, or wakes it in its queue.
    void enable(ThreadSlot by, ThreadSlot enabled);
    // The event that is being applied completes the round of the barrier at which `released` waits.
    void release(ThreadSlot by, ThreadSlot released);
    // The owner of descriptors reports how many bytes can be read and written.
    void set_descriptor(ObjectSlot slot, std::uint32_t readable, std::uint32_t writable);
    // Memory in [from, to) of one region was freed. Returns an object in it that threads still use, or no_slot.
    ObjectSlot forget(const ObjectId& from, const ObjectId& to);

    // ---- going back (only if journalling was switched on before the first action)
    using Mark = std::uint32_t;
    void keep_journal(bool on) { journalling_ = on; }
    Mark mark() {
        ++marks_;
        return journal_.size();
    }
    void rewind(Mark mark);

protected:
    MachineState(Grow grow, MachineOptions options);
    ~MachineState() = default;

    MachineOptions options_;
    Table<ThreadId, ThreadRecord> threads_;
    Table<ObjectId, ObjectRecord> objects_;
    ObjectSlot process_ = no_slot;
    bool enabled_others_ = false;

private:
    struct JournalEntry {
        std::uint32_t slot;
        bool is_thread;
        union {
            ThreadRecord thread;
            ObjectRecord object;
        };
        JournalEntry() : slot(0), is_thread(false), object() {}
    };

    void forget_reads(std::uint32_t last, std::uint32_t kept);
    void keep_old(ThreadSlot slot, ThreadRecord& thread);
    void keep_old(ObjectSlot slot, ObjectRecord& object);

    Sequence<JournalEntry> journal_;
    Sequence<VariableRead> reads_;  // of all threads; the first has number 1
    std::uint64_t marks_ = 1;
    bool journalling_ = false;
    bool out_of_memory_ = false;
};

// The record of a live object of this kind; null if it was never used, or as another kind.
inline const ObjectRecord* live_object(const MachineState& machine, ObjectSlot slot, Kind kind) {
    const ObjectRecord& object = machine.object(slot);
    const bool lives = object.state == ObjectState::live || object.state == ObjectState::revived;
    return object.kind == kind && lives ? &object : nullptr;
}

// Time does not wrap: it stops at its largest value.
constexpr std::uint64_t later(std::uint64_t time, std::uint64_t length) {
    return time + length < time ? ~std::uint64_t{0} : time + length;
}

// It reads the thread's cancellation mark.
constexpr bool uses_cancel_mark(const Action& action) {
    return (action.flags & flag::cancellable) != 0 || action.operation == Operation::thread_testcancel;
}

// The first misuse counts.
inline void report(ActionOutcome& outcome, Misuse misuse) {
    if (outcome.misuse == Misuse::none) outcome.misuse = misuse;
}

}  // namespace raddle
