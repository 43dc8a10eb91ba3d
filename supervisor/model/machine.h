// The machine: threads and synchronisation objects of one execution, as far as scheduling can see them. Threads
// announce what they are about to do; the machine says who can go on and in how many ways, applies the action chosen,
// and reports misuse. It neither allocates nor fails by itself: memory comes from a function of its owner.
//
// Rules that make reduction sound:
//   * what a thread can do next, and how it ends, depends only on the thread's own past and on the objects its
//     action touches (see operation.def), never on anything else in the process;
//   * so does what it announces: not even which part of a call comes first may depend on what others did since;
//   * a part of a call that can block on its own is an action of its own (a condition wait is wait, wake and, after a
//     time-out, relock), announced by the machine when the part before is applied.
//
// Time is virtual: each thread carries its own, which flows along the happens-before edges, so that a clock read is a
// function of the thread's past. What waits for time can lapse whenever it waits; doing so while someone could run
// is what costs a preemption (see cost()).
#pragma once

#include "supervisor/model/operation.h"
#include "supervisor/model/table.h"

namespace raddle {

enum class Readiness : std::uint8_t {
    blocked,  // something else has to happen first
    timeout_only,  // it can only run out of time
    ready,    // it can take effect
};

struct Alternatives {
    Readiness readiness = Readiness::blocked;
    std::uint32_t count = 0;  // in how many ways: values 0 … count-1 of a step
};

enum class Life : std::uint8_t { unborn, running, announced, ended };

// A variable that a thread read, and what it held, as far as that is known.
struct VariableRead {
    ObjectSlot object = no_slot;
    std::uint32_t bytes = 0;
    std::uint64_t value = 0;
};
inline constexpr std::uint32_t max_last_reads = 2;  // so that a spin_wait that can run out of time and be cancelled touches no more than an ActionOutcome holds

struct ThreadRecord {
    ThreadId id{};
    Action pending{};
    ObjectSlot object = no_slot;         // slots of pending.object, …
    ObjectSlot second = no_slot;
    ObjectSlot self = no_slot;           // … of the thread as an object, and of its cancellation mark
    ObjectSlot cancel_mark = no_slot;
    ObjectSlot waits_on = no_slot;       // the condition in whose queue it stands
    std::uint32_t ticket = 0;            // its place there
    std::uint32_t events = 0;
    std::uint32_t children = 0;
    std::uint32_t robust_held = 0;
    EventName enabler{};                 // set by the event that lets the pending action happen
    std::uint64_t time = 0;              // virtual, in nanoseconds
    std::uint64_t deadline = 0;
    VariableRead last_reads[max_last_reads]{};            // the last variables it read, each once, the latest first
    std::uint64_t journalled = 0;        // since which mark its earlier contents are in the journal
    Life life = Life::unborn;
    bool signalled = false;              // taken out of its condition's queue; or its barrier's round is complete
    bool cancelled = false;              // has acted on its cancellation, and does so once only
    bool failed = false;
    Misuse misuse = Misuse::none;        // the first one it did
};

// A destroyed object that is used all the same goes on as if it were new, and every use of it is misuse.
enum class ObjectState : std::uint8_t { unknown, live, destroyed, revived };

// One record serves every kind; each kind's file says what it means by the fields it uses.
struct ObjectRecord {
    ObjectId id{};
    Kind kind = Kind::none;
    ObjectState state = ObjectState::unknown;
    std::uint8_t attributes = 0;
    bool flag = false;
    std::uint32_t owner = no_slot;
    std::uint32_t count = 0;
    std::uint32_t waiters = 0;
    std::uint32_t tickets = 0;
    std::uint32_t limit = 0;
    ObjectSlot bound = no_slot;
    std::int64_t value = 0;
    std::uint64_t exclusive_time = 0;    // virtual time of the last exclusive access, and of any access
    std::uint64_t any_time = 0;
    std::uint64_t journalled = 0;        // as of a thread
};

// Of a variable: its value is known, in this width.
bool knows_value(const ObjectRecord& variable, std::uint64_t bytes);
// What an access of this width finds, where `otherwise` is what holds of what is not known.
std::uint64_t value_of(const ObjectRecord& variable, std::uint64_t bytes, std::uint64_t otherwise);
// It waits for a variable to change, which it would look at again and again.
constexpr bool spins(const Action& action) {
    return action.operation == Operation::spin_wait || (action.flags & flag::spins) != 0;
}
// How many of its thread's looks a spin_wait is about.
constexpr std::uint32_t reads_awaited(const Action& action) {
    if (action.operation != Operation::spin_wait || action.argument < 0) return 0;
    return action.argument < max_last_reads ? static_cast<std::uint32_t>(action.argument) : max_last_reads;
}

struct MachineOptions {
    Independence independence = Independence::fine;
    bool spurious_wakeups = false;
    // A wait at least so long (nanoseconds of virtual time) runs out only when it is the first thing that can happen.
    std::uint64_t patience = unlimited;

    static constexpr std::uint64_t unlimited = ~std::uint64_t{0};
    constexpr bool limits_patience() const { return patience != unlimited; }
};

// How an execution ended, as far as the machine can tell.
// Livelock: nobody can go on, and somebody spins.
enum class Ending : std::uint8_t { running, exited, finished, deadlock, failed, livelock };

class Machine {
public:
    explicit Machine(Grow grow, MachineOptions options = {});
    ~Machine();
    Machine(const Machine&) = delete;
    Machine& operator=(const Machine&) = delete;

    // Forgets everything but its memory, and starts again with main running.
    void reset();

    // ---- what threads do
    ThreadSlot slot_of(ThreadId thread);  // unborn if never seen
    void announce(ThreadSlot thread, const Action& action);
    Alternatives alternatives(ThreadSlot thread) const;
    ActionOutcome apply(ThreadSlot thread, std::uint32_t value = 0);

    // ---- what follows from it
    std::uint32_t thread_count() const { return threads_.size(); }
    std::uint32_t object_count() const { return objects_.size(); }
    const ThreadRecord& thread(ThreadSlot slot) const { return threads_[slot]; }
    const ObjectRecord& object(ObjectSlot slot) const { return objects_[slot]; }
    bool can_run(ThreadSlot slot) const { return alternatives(slot).readiness != Readiness::blocked; }
    bool is_ready(ThreadSlot slot) const { return alternatives(slot).readiness == Readiness::ready; }
    bool any_ready() const;
    // What the pending action may touch, whatever comes of it: for races of actions that have not happened.
    std::uint8_t pending_uses(ThreadSlot thread, ObjectUse (&out)[4]) const;
    // What choosing this step costs in preemptions when `last` ran before (no_slot: nobody did):
    //   leaving a thread that is ready costs one; so does letting time run out for a thread while another is ready,
    //   or before one with an earlier deadline; so does a spurious wakeup.
    //   `never` is what no bound allows: to let a wait run out early that is longer than patience has it.
    std::uint32_t cost(ThreadSlot last, ThreadSlot thread, std::uint32_t value) const;
    static constexpr std::uint32_t never = 1u << 24;
    bool exceeds_patience(ThreadSlot thread) const;  // it costs that
    // While another is ready, or would run out of time before.
    bool times_out_early(ThreadSlot thread) const;
    // How long its wait is to last, from when it began.
    std::uint64_t wait_of(ThreadSlot thread) const {
        const ThreadRecord& record = threads_[thread];
        return record.deadline > record.time ? record.deadline - record.time : 0;
    }
    // Of two threads that can only lapse, the first does so before the second.
    bool times_out_before(ThreadSlot first, ThreadSlot second) const;
    Ending ending() const;
    std::int64_t exit_status() const { return object(process_).value; }
    bool failed() const;  // some thread failed an assertion
    bool out_of_memory() const { return out_of_memory_; }
    const MachineOptions& options() const { return options_; }
    ObjectSlot find_object(const ObjectId& id) const { return objects_.find(id); }
    ThreadSlot find_thread(ThreadId id) const { return threads_.find(id); }

    // The owner of descriptors tells how much can be read and written.
    void set_descriptor(ObjectSlot slot, std::uint32_t readable, std::uint32_t writable);
    // Memory in [from, to) of one place was freed: returns an object in it that threads still use, or no_slot.
    ObjectSlot forget(const ObjectId& from, const ObjectId& to);

    // ---- going back (only if journalling was switched on before the first action)
    using Mark = std::uint32_t;
    void keep_journal(bool on) { journalling_ = on; }
    Mark mark() {
        ++marks_;
        return journal_.size();
    }
    void rewind(Mark mark);

    // ---- for the files that give the kinds their meaning
    ThreadRecord& change(ThreadSlot slot);
    ObjectRecord& change_object(ObjectSlot slot);
    ObjectSlot object_slot(const ObjectId& id);
    // The object as this kind, made live if it was never seen; misuse if it was destroyed.
    ObjectRecord& use_object(ThreadSlot thread, ObjectSlot slot, Kind kind, ActionOutcome& outcome);
    void make_live(ObjectSlot slot, Kind kind, std::uint8_t attributes);
    // The thread's call goes on with this action.
    void follow_up(ThreadSlot thread, const Action& action, ActionOutcome& outcome);
    // The event being applied lets the pending action of `enabled` happen.
    void enable(ThreadSlot by, ThreadSlot enabled);
    ObjectSlot process() const { return process_; }
    ThreadId next_child(ThreadSlot slot) const { return child_of(threads_[slot].id, threads_[slot].children + 1); }

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

    void set_pending(ThreadSlot slot, const Action& action);
    void note_use(ThreadSlot slot, ActionOutcome& outcome, ObjectSlot object, Mode mode);
    void record_uses_and_time(ThreadSlot slot, const ThreadRecord& before, ActionOutcome& outcome);
    void spread_time(ThreadSlot slot);
    bool acts_on_cancellation(const ThreadRecord& thread) const;
    bool may_time_out(const ThreadRecord& thread) const;
    bool wake_needs_queue(const ThreadRecord& thread) const;

    MachineOptions options_;
    Table<ThreadId, ThreadRecord> threads_;
    Table<ObjectId, ObjectRecord> objects_;
    Sequence<JournalEntry> journal_;
    ObjectSlot process_ = no_slot;
    bool enabled_others_ = false;
    std::uint64_t marks_ = 1;
    bool journalling_ = false;
    bool out_of_memory_ = false;
};

// The action may run out of time, if it cannot take effect before.
constexpr bool can_time_out(const Action& action) {
    switch (action.operation) {
        case Operation::sleep:
        case Operation::yield: return true;
        case Operation::cond_wait:  // its time runs once it waits
        case Operation::mutex_relock:
        case Operation::rwlock_request: return false;
        default: return (action.flags & flag::timed) != 0;
    }
}

}  // namespace raddle
