// The machine: the threads and synchronisation objects of one execution, as far as scheduling depends on them. Threads
// announce what they are about to do. The machine says which threads can go on, and in how many ways; it applies the
// action that was chosen, and reports misuse. It neither allocates nor fails: its owner gives it memory.
//
// These rules make partial-order reduction sound:
//   * Only the thread's own past and the objects of its action (see operation.def) decide what a thread can do next,
//   and
//     how that ends.
//   * The same holds for what it announces: what other threads did since must not decide which part of a call comes
//     first.
//   * A part of a call that can block on its own is its own action. A condition wait is wait, wake and, after a
//   time-out,
//     relock. The machine announces each when it applies the part before.
//
// Time is virtual. Each thread has its own clock, and time flows along the happens-before edges, so a clock read is a
// function of the thread's past. A thread that waits with a time limit can time out at any moment; while another thread
// could run, that costs a preemption (see cost()).
#pragma once

#include "supervisor/model/action.h"
#include "supervisor/model/outcome.h"
#include "supervisor/model/table.h"

namespace raddle {

enum class Readiness : std::uint8_t {
    blocked,       // another event has to come first
    timeout_only,  // it can only time out
    ready,         // it can take effect
};

struct Alternatives {
    Readiness readiness = Readiness::blocked;
    std::uint32_t count = 0;  // the values 0 … count-1 of a step
};

enum class Life : std::uint8_t { unborn, running, announced, ended };

// A variable that a thread read, and the value it found, if that is known.
struct VariableRead {
    ObjectSlot object = no_slot;
    std::uint32_t bytes = 0;
    std::uint64_t value = 0;
};
// A spin_wait that can time out and be cancelled uses two more objects, and an outcome holds four.
inline constexpr std::uint32_t max_last_reads = 2;

struct ThreadRecord {
    ThreadId id{};
    Action pending{};
    ObjectSlot object = no_slot;  // the slots of pending.object and pending.second
    ObjectSlot second = no_slot;
    ObjectSlot self = no_slot;  // the thread as an object, and its cancellation mark
    ObjectSlot cancel_mark = no_slot;
    ObjectSlot waits_on = no_slot;  // the condition or futex; it stands in its queue
    std::uint32_t ticket = 0;       // its number in that queue
    std::uint32_t events = 0;
    std::uint32_t children = 0;
    std::uint32_t robust_held = 0;
    EventName enabler{};         // the event that created it, or woke it in the queue it stands in
    EventName releaser{};        // the arrival that completed the round of its barrier
    std::uint64_t time = 0;      // virtual, in nanoseconds
    std::uint64_t woken_at = 0;  // virtual time of `enabler`, and of `releaser`: it flows when the thread goes on
    std::uint64_t released_at = 0;
    std::uint64_t deadline = 0;
    VariableRead last_reads[max_last_reads]{};  // the last variables it read, each once, the newest first
    std::uint64_t journalled = 0;               // the mark since which its old contents are in the journal
    Life life = Life::unborn;
    bool signalled = false;  // woken in the queue of a condition or futex
    bool released = false;   // the round of its barrier is complete. A handler may wait at a barrier while the thread
                             // stands in the queue of a condition
    bool cancelled = false;  // has acted on its cancellation; it does so once
    Misuse misuse = Misuse::none;  // its first misuse
};

// The event that made its pending action possible, where that is another thread's event.
constexpr EventName enabler_of(const ThreadRecord& thread) {
    switch (traits(thread.pending.operation).waits) {
        case Wait::creation:
        case Wait::wake_up: return thread.enabler;
        case Wait::arrivals: return thread.releaser;
        default: return {};
    }
}

// A destroyed object that is used again works like a new one (revived), and every use of it is a misuse.
enum class ObjectState : std::uint8_t { unknown, live, destroyed, revived };

// One record serves every kind. The file of each kind says what it keeps in which field.
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
    std::uint64_t exclusive_time = 0;  // virtual time of the last exclusive access, and of any access
    std::uint64_t any_time = 0;
    std::uint64_t journalled = 0;  // as in ThreadRecord
};

// The machine knows the value of the variable, in this width.
bool knows_value(const ObjectRecord& variable, std::uint64_t bytes);
// The value that an access of this width finds; bytes that are not known come from `otherwise`.
std::uint64_t value_of(const ObjectRecord& variable, std::uint64_t bytes, std::uint64_t otherwise);
// It waits until a variable changes that it would read again and again.
constexpr bool spins(const Action& action) {
    return action.operation == Operation::spin_wait || (action.flags & flag::spins) != 0;
}
// How many of its thread's last reads a spin_wait awaits a change of.
constexpr std::uint32_t reads_awaited(const Action& action) {
    if (action.operation != Operation::spin_wait || action.awaited_reads() < 0) return 0;
    return action.awaited_reads() < max_last_reads ? static_cast<std::uint32_t>(action.awaited_reads())
                                                   : max_last_reads;
}

struct MachineOptions {
    Independence independence = Independence::fine;
    bool spurious_wakeups = false;
    // A wait of at least this length (nanoseconds of virtual time) times out only if nothing else can happen first.
    std::uint64_t patience = unlimited;

    static constexpr std::uint64_t unlimited = ~std::uint64_t{0};
    constexpr bool limits_patience() const { return patience != unlimited; }
};

// How an execution ended, as far as the machine knows. Livelock: no thread can go on, and one spins.
enum class Ending : std::uint8_t { running, exited, finished, deadlock, failed, livelock, crashed, replaced };

class Machine {
public:
    explicit Machine(Grow grow, MachineOptions options = {});
    ~Machine();
    Machine(const Machine&) = delete;
    Machine& operator=(const Machine&) = delete;

    // Starts again with a running main thread. It keeps its memory.
    void reset();

    // ---- events
    ThreadSlot slot_of(ThreadId thread);  // the thread is unborn if the machine never saw it
    void announce(ThreadSlot thread, const Action& action);
    Alternatives alternatives(ThreadSlot thread) const;
    ActionOutcome apply(ThreadSlot thread, std::uint32_t value = 0);

    // ---- the state after them
    std::uint32_t thread_count() const { return threads_.size(); }
    std::uint32_t object_count() const { return objects_.size(); }
    const ThreadRecord& thread(ThreadSlot slot) const { return threads_[slot]; }
    const ObjectRecord& object(ObjectSlot slot) const { return objects_[slot]; }
    bool can_run(ThreadSlot slot) const { return alternatives(slot).readiness != Readiness::blocked; }
    bool is_ready(ThreadSlot slot) const { return alternatives(slot).readiness == Readiness::ready; }
    bool any_ready() const;
    // The objects that the pending action may use, whatever its outcome: for races of actions that have not happened.
    std::uint8_t pending_uses(ThreadSlot thread, ObjectUse (&out)[4]) const;
    // The cost of this step in preemptions, if `last` ran before (no_slot: no thread did). One preemption each:
    //   leaving a thread that is ready; a time-out while another thread is ready, or before an earlier deadline; a
    //   spurious wake-up.
    // `never` exceeds every bound: an early time-out of a wait that is longer than the patience.
    std::uint32_t cost(ThreadSlot last, ThreadSlot thread, std::uint32_t value) const;
    static constexpr std::uint32_t never = 1u << 24;
    bool exceeds_patience(ThreadSlot thread) const;  // its cost is `never`
    // Another thread is ready, or would time out before.
    bool times_out_early(ThreadSlot thread) const;
    // The length of its wait, from the beginning.
    std::uint64_t wait_of(ThreadSlot thread) const {
        const ThreadRecord& record = threads_[thread];
        return record.deadline > record.time ? record.deadline - record.time : 0;
    }
    // Both threads can only time out, and the first does so before the second.
    bool times_out_before(ThreadSlot first, ThreadSlot second) const;
    Ending ending() const;
    std::int64_t exit_status() const { return object(process_).value; }
    // The process has ended; other threads may still go on (process.cpp).
    bool process_has_ended() const { return object(process_).flag; }
    Ending how_process_ended() const { return static_cast<Ending>(object(process_).count); }
    bool out_of_memory() const { return out_of_memory_; }
    const MachineOptions& options() const { return options_; }
    ObjectSlot find_object(const ObjectId& id) const { return objects_.find(id); }
    ThreadSlot find_thread(ThreadId id) const { return threads_.find(id); }

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

    // ---- for the files of the kinds
    ThreadRecord& change(ThreadSlot slot);
    ObjectRecord& change_object(ObjectSlot slot);
    ObjectSlot object_slot(const ObjectId& id);
    // The object as this kind. A new object becomes live; a destroyed one is a misuse.
    ObjectRecord& use_object(ThreadSlot thread, ObjectSlot slot, Kind kind, ActionOutcome& outcome);
    void make_live(ObjectSlot slot, Kind kind, std::uint8_t attributes);
    // The thread's call continues with this action.
    void follow_up(ThreadSlot thread, const Action& action, ActionOutcome& outcome);
    // The event that is being applied creates `enabled`, or wakes it in its queue.
    void enable(ThreadSlot by, ThreadSlot enabled);
    // The event that is being applied completes the round of the barrier at which `released` waits.
    void release(ThreadSlot by, ThreadSlot released);
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

}  // namespace raddle
