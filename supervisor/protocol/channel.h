// The memory that the shim and the supervisor share: the Plan goes in, the record of an execution comes out. A target
// can write anything here: the supervisor copies it with bounds and checks (supervisor/process/read_channel.h) and
// believes nothing. Its size is fixed and the file is sealed, so reading it never faults; pages nobody touched cost
// nothing.
//
// How a request is made: the supervisor writes the plan, sets `request` to the next number and wakes. Whoever carries
// it out sets `taken`, and at the end `reply`, to that number and wakes; from then on all is the supervisor's again. The
// first request is there before the target starts.
#pragma once

#include "supervisor/model/tail.h"
#include "supervisor/protocol/patches.h"

namespace raddle::channel {

inline constexpr std::uint64_t magic = 0x31656c6464617231ULL;
// "CHANNEL" or "CHANNEL,CODE": descriptors of this, and of memory/patches.h.
inline constexpr const char* environment_name = "RADDLE_CHANNEL";
// Entries that only take room, so that the stack begins at the same address whatever the environment.
inline constexpr const char* room_name = "RADDLE_ROOM";

inline constexpr std::uint32_t most_events = 1u << 19;
inline constexpr std::uint32_t most_sleeping = 1u << 12;
inline constexpr std::uint32_t most_threads = 1u << 14;   // rows of the thread table; more threads are not listed
inline constexpr std::uint32_t most_modules = 256;
inline constexpr std::uint32_t most_message = 1024;
inline constexpr std::uint32_t most_path = 256;
inline constexpr std::uint32_t most_joined = 1024;
inline constexpr std::uint32_t most_freed = 128;
inline constexpr std::uint32_t most_calls = 1u << 16;
inline constexpr std::uint32_t most_spins = 256;

enum class ForkAt : std::uint32_t { first_thread, start, never };

// Why the target did not become a server where the settings ask for one: a forked copy would lack it, or share it with
// the copies before. The text is said of the target.
#define RADDLE_OBSTACLES(row)                                                     \
    row(none, "")                                                                 \
    row(child, "it has started another process by then")                          \
    row(open_for_writing, "it has a file open for writing by then")               \
    row(open_outside, "it has a pipe, a socket or the like open by then")        \
    row(shared_memory, "it has memory mapped as shared by then")
enum class Obstacle : std::uint32_t {
#define RADDLE_ROW(name, text) name,
    RADDLE_OBSTACLES(RADDLE_ROW)
#undef RADDLE_ROW
    count_
};

// What becomes of a child of the fork server after an execution: it is put back to its start as long as that is worth
// while, always if it can be, or never.
enum class Restore : std::uint32_t { while_worthwhile, whenever_possible, never };

// How far the process of a target has come.
enum class Stage : std::uint32_t {
    launched,   // nothing of the shim has run
    attached,   // the shim is in control
    serving,    // it has become the fork server
};

// How an execution ended, as the shim saw it. `running`: it did not see the end (killed, or died of a signal).
enum class End : std::uint32_t {
    running, exited, finished, deadlock, livelock, failed, step_limit, stopped, diverged, abandoned, uncontrolled, crash,
    record_full, out_of_memory, count_
};

// Set before the launch, and never again.
struct Settings {
    ForkAt fork_at;
    std::uint8_t independence;
    std::uint8_t spurious_wakeups;
    std::uint8_t take_stacks;       // a StackArea (stack_area.h) lies behind the channel
    std::uint8_t clients_outside;   // somebody beside the program may connect to it
    std::uint32_t cpus;             // how many the target is to see
    std::uint64_t patience;         // MachineOptions
    std::uint32_t supervisor_pid;
    Restore restore;
    std::uint32_t bound_now;        // the supervisor set LD_BIND_NOW: not the target's own wish
    std::int32_t channel_file;      // the channel's descriptor in the supervisor: a target that replaces itself finds it there
    std::uint32_t preloads;         // so many names at the beginning of LD_PRELOAD are the supervisor's
    std::uint32_t in_debugger;      // a DebuggerArea (debugger_area.h) lies behind the StackArea
    std::uint32_t kernel_threads;   // each thread of the target is one of the kernel's
    std::uint32_t follow_forks;     // a child forked before the first thread becomes the target
};

struct PlanHeader {
    std::uint32_t prefix_length;
    std::uint32_t sleeping_count;
    Tail tail;
    std::uint64_t max_steps;
    std::uint32_t fresh;            // in a process just forked
    std::uint32_t digest;           // say at the end what the target's memory holds
};

// An event. It is written before its action takes effect, and completed after.
struct Record {
    Action action;
    std::int64_t result;
    ThreadId thread;
    std::uint32_t value;
    Effect effect;
    Misuse misuse;
    std::uint8_t complete;
    std::uint8_t reserved;
};

// What came at a moment that no schedule decides: bits of Result::external_events.
namespace external_event {
inline constexpr std::uint32_t signal = 1;          // handed out to a thread
inline constexpr std::uint32_t child_ended = 2;     // or not yet: a look that does not wait
inline constexpr std::uint32_t ready = 4;           // a descriptor, or not yet
inline constexpr std::uint32_t child_threads = 8;   // a child that is the program's copy has threads: nobody chooses among them
inline constexpr std::uint32_t child_stuck = 16;    // and they wait for each other for ever
inline constexpr std::uint32_t child_locks = 32;    // a child of one of several threads takes a mutex: as the others had it when it was forked
inline constexpr std::uint32_t of_children = child_threads | child_stuck | child_locks;
}  // namespace external_event

// What a thread is about to do.
struct ThreadRow {
    ThreadId thread;
    std::uint32_t announced;        // 0: its code runs, or it has ended
    std::uint32_t reserved;
    Action action;
};

struct ModuleRow {
    std::uint64_t base;             // the address its own addresses count from
    std::uint64_t end;
    char path[most_path];
};

struct Crash {
    std::uint32_t signal;
    std::uint32_t code;
    std::uint64_t address;          // that could not be accessed
    std::uint64_t instruction;      // that did it
    ThreadId thread;
    std::uint32_t in_stack_guard;   // the stack of that thread was full
    std::uint32_t reserved;
};

struct Result {
    End end;
    std::uint32_t wait_status;      // of the process that carried the plan out, if has_wait_status
    std::uint32_t has_wait_status;
    std::uint32_t event_count;      // grows while it runs: that is progress
    std::uint32_t thread_count;
    std::uint32_t message_length;
    std::int64_t exit_status;
    std::uint64_t clocks;           // clock reads: progress too
    ThreadId last_thread;           // whose code ran last
    std::uint32_t memory_found;     // sites, marked in Channel::memory_found
    std::uint32_t memory_joined;    // rows of Channel::memory_joined
    std::uint32_t memory_stacks;    // a thread touched another's stack
    std::uint32_t memory_calls;     // rows of Channel::memory_calls
    std::uint32_t memory_freed;     // rows of Channel::memory_freed
    std::uint32_t wants_kernel_threads;  // it ended because threads cannot be fibers here
    std::uint32_t memory_spins;     // rows of Channel::memory_spins
    std::uint32_t memory_signals;   // a thread was sent a signal
    std::uint32_t reserved;
    std::uint32_t external_events;          // of external_event, for what came in this execution
    Crash crash;
    char message[most_message];
};

// How executions came by their process, and why it was not kept where it was not.
struct Restarts {
    std::uint64_t restored;         // executions in a process that was put back to its start
    std::uint64_t forked;           // and in one that was forked for it
    std::uint64_t discarded;        // processes that could not be put back
    std::uint32_t in_a_row;         // of these, since one could
    std::uint32_t given_up;         // no process is put back any more
    std::uint64_t digest;           // of the target's memory at the end of the last execution, if has_digest
    std::uint32_t has_digest;
    std::uint32_t reserved;
    char reason[most_path];         // of the last one discarded
};

// A thread came back to this site in this state, having found this value and changed nothing.
struct FoundSpin {
    std::uint64_t state;
    std::uint64_t value;
    std::uint64_t site;             // as actions name it
};

struct Channel {
    std::uint64_t magic;
    std::uint64_t bytes;            // sizeof(Channel): shim and supervisor are of one build
    Settings settings;
    std::uint32_t stage;            // a Stage
    std::uint32_t obstacle;         // an Obstacle
    std::uint32_t request;
    std::uint32_t reply;
    std::uint32_t taken;            // the request that is being carried out, or was last
    std::uint32_t executor;         // the process that carries the plan out, a hint for reports
    std::uint32_t keeper;           // the target was forked from this process, which waits for it; 0: launched
    std::uint32_t module_count;
    std::uint32_t replaced;         // how often the target has replaced itself (exec), and was followed
    std::int32_t process, parent;   // as the first of its images was told they are called
    PlanHeader plan;
    Result result;
    Restarts restarts;
    char replacement[most_path];    // what the target is replacing itself by: the shim is not at work there yet
    alignas(4096) ModuleRow modules[most_modules];
    alignas(4096) ThreadRow threads[most_threads];
    alignas(4096) Sleeper sleeping[most_sleeping];
    alignas(4096) PlannedStep prefix[most_events];
    alignas(4096) Record events[most_events];
    // Of accesses to memory, what was not known before: kept until the supervisor has read and cleared it.
    alignas(4096) std::uint8_t memory_found[memory::most_sites];
    memory::JoinedWord memory_joined[most_joined];
    memory::FreedBlock memory_freed[most_freed];
    std::uint64_t memory_calls[most_calls];  // places in the code, as actions name them
    FoundSpin memory_spins[most_spins];
};

static_assert(std::is_trivially_copyable_v<Channel>);

inline std::uint32_t load(const std::uint32_t& word) { return __atomic_load_n(&word, __ATOMIC_ACQUIRE); }
inline void store(std::uint32_t& word, std::uint32_t value) { __atomic_store_n(&word, value, __ATOMIC_RELEASE); }

}  // namespace raddle::channel
