// The channel: the memory that the shim (inside the program under test) and the supervisor (raddle) share. The plan of
// an execution goes in, the record of the execution comes out.
//
// A request goes like this. The supervisor writes the plan, sets `request` to the next number and wakes the waiters.
// The process that carries out the plan sets `taken` to that number, and at the end `reply`, and wakes the supervisor.
// From then on everything belongs to the supervisor again. The first request is in place before the program starts.
//
// Rules:
//   * The program can overwrite anything here. The supervisor copies with bounds and checks (read_channel.h) and trusts
//     nothing it reads.
//   * The size is fixed (some 2.5 GiB) and the file is sealed: reading never faults. Untouched pages cost no memory.
//   * Both sides come from one build (`bytes` tells), so the layout may change at any time.
#pragma once

#include "supervisor/model/tail.h"
#include "supervisor/protocol/focus.h"
#include "supervisor/protocol/patches.h"
#include "supervisor/protocol/shim_tables.h"

namespace raddle::channel {

inline constexpr std::uint64_t magic = 0x31656c6464617231ULL;
// Holds "CHANNEL" or "CHANNEL,CODE": the descriptors of this file and of the description in patches.h.
inline constexpr const char* environment_name = "RADDLE_CHANNEL";
// Filler entries: they make the environment equally long in every run, so the stack begins at the same address.
inline constexpr const char* room_name = "RADDLE_ROOM";

inline constexpr std::uint32_t most_events = 1u << 24;
inline constexpr std::uint32_t most_sleeping = 1u << 12;
inline constexpr std::uint32_t most_weights = 1u << 12;
inline constexpr std::uint32_t most_threads = 1u << 14;  // rows of the thread table; further threads are not listed
inline constexpr std::uint32_t most_modules = 256;
inline constexpr std::uint32_t most_message = 1024;
inline constexpr std::uint32_t most_path = 256;
inline constexpr std::uint32_t most_joined = 1024;
inline constexpr std::uint32_t most_freed = 128;
inline constexpr std::uint32_t most_calls = 1u << 16;
inline constexpr std::uint32_t most_spins = 256;
inline constexpr std::uint32_t most_code_words = 1u << 16;
inline constexpr std::uint32_t most_outputs = 1u << 12;
inline constexpr std::uint32_t most_unfollowed = 24;
inline constexpr std::uint32_t most_name = 40;  // of a function, with its terminating zero
inline constexpr std::uint32_t most_call_notes = 1u << 12;
inline constexpr std::uint32_t most_held_stacks = 1u << 10;

// The point at which the program becomes a fork server: its first thread, or its start. With `never`, every execution
// launches a new process.
enum class ForkAt : std::uint32_t { first_thread, start, never };

// The reason why the program cannot become a fork server at the wanted point. A forked copy would lack the thing named
// here, or share it with earlier copies. The texts continue "at its first thread ...".
#define RADDLE_OBSTACLES(row)                                                      \
    row(none, "") row(child, "it has started another process by then")             \
        row(open_for_writing, "it has a file open for writing by then")            \
            row(open_external, "it has a pipe, a socket or the like open by then") \
                row(shared_memory, "it has memory mapped as shared by then")
enum class Obstacle : std::uint32_t {
#define RADDLE_ROW(name, text) name,
    RADDLE_OBSTACLES(RADDLE_ROW)
#undef RADDLE_ROW
        count_
};

// Whether a child of the fork server is put back to its start after an execution and used again: as long as that saves
// time, whenever it is possible, or never.
enum class Restore : std::uint32_t { while_worthwhile, whenever_possible, never };

// How far the program's process has come.
enum class Stage : std::uint32_t {
    launched,  // nothing of the shim has run
    attached,  // the shim is in control
    serving,   // it has become the fork server
};

// How an execution ended, as far as the shim saw it. `running`: the shim did not see the end (the process was killed,
// or died of a signal).
enum class End : std::uint32_t {
    running,
    exited,
    finished,
    deadlock,
    livelock,
    failed,
    step_limit,
    stopped,
    diverged,
    abandoned,
    uncontrolled,
    crash,
    record_full,
    out_of_memory,
    thread_limit,
    sanitizer,  // its runtime reported an error; the message is its text
    count_
};

// The supervisor sets these before the launch and never changes them.
struct Settings {
    ForkAt fork_at;
    std::uint8_t independence;
    std::uint8_t spurious_wakeups;
    std::uint8_t take_stacks;       // a StackArea (stack_area.h) lies behind the channel
    std::uint8_t external_clients;  // clients other than the program may connect to its sockets
    std::uint32_t cpus;             // the number of processors that the program sees
    std::uint64_t patience;         // MachineOptions
    std::uint32_t max_threads;      // MachineOptions
    std::uint32_t supervisor_pid;
    Restore restore;
    std::uint32_t bound_now;        // the supervisor set LD_BIND_NOW, the user did not
    std::int32_t channel_file;      // the channel's descriptor in the supervisor; the program opens it there after exec
    std::uint32_t preloads;         // this many names at the beginning of LD_PRELOAD belong to raddle
    std::uint32_t in_debugger;      // a DebuggerArea (debugger_area.h) lies behind the StackArea
    std::uint32_t kernel_threads;   // each thread of the program is a kernel thread, not a fiber
    std::uint32_t follow_forks;     // a child forked before the first thread is tested instead of its parent
    std::uint32_t check_signals;    // threads check for signals even before the program has a handler
    std::uint32_t orders_output;    // bits: writes to standard output (1), error (2), regular files (4) are actions
    std::uint64_t most_accesses;    // the execution ends after so many (Result::accesses); 0: no limit
    std::uint32_t naps;             // threads that work without waiting nap now and then (preload/schedule/naps.h)
    std::uint32_t count_unwatched;  // fill Result::unwatched_instructions: very slow
    std::uint32_t note_calls;       // fill Channel::call_notes
    std::uint32_t has_focus;        // MachineOptions; Channel::focus says where it is
};

// The plan, without its arrays.
struct PlanHeader {
    std::uint32_t prefix_length;
    std::uint32_t sleeping_count;
    std::uint32_t weight_count;
    Tail tail;
    std::uint64_t max_steps;
    std::uint32_t fresh;   // run in a newly forked process
    std::uint32_t digest;  // fill in RestartCounts::digest at the end
    std::uint32_t hold;    // where the plan stops (TailKind::stop), set Channel::held and wait until it is cleared
    std::uint32_t shared;  // so many first steps are those of the last execution recorded here
};

// One event of the execution. The shim writes it before the action takes effect and completes it afterwards.
struct Record {
    Action action;
    std::int64_t result;
    ThreadId thread;
    std::uint64_t code;  // the label of the watched code before it (code_label.h)
    std::uint32_t value;
    Effect effect;
    Misuse misuse;
    std::uint8_t complete;
    std::uint8_t reserved;
};

// Things that happened at a time which no schedule decides: bits of Result::external_events.
namespace external_event {
inline constexpr std::uint32_t signal = 1;         // a signal from outside was delivered to a thread
inline constexpr std::uint32_t child_ended = 2;    // the program asked, without waiting, whether a child had ended
inline constexpr std::uint32_t ready = 4;          // the program asked, without waiting, whether a descriptor was ready
inline constexpr std::uint32_t child_threads = 8;  // a forked child has threads; raddle does not schedule them
inline constexpr std::uint32_t child_stuck = 16;   // the threads of such a child are deadlocked
inline constexpr std::uint32_t child_locks =
    32;  // a child forked beside other threads takes a mutex, which they may have held
inline constexpr std::uint32_t replaced = 64;        // another program replaced it (exec) after its first thread
inline constexpr std::uint32_t child_objects = 128;  // a child and the program use the same lock, semaphore or the like
inline constexpr std::uint32_t child_memory = 256;   // the program accessed memory that a living child shares
// a library that was loaded late cancels a thread: calls of files were no cancellation points until then
inline constexpr std::uint32_t late_cancel = 512;
inline constexpr std::uint32_t file_changes = 1024;  // the program watches files (inotify)
inline constexpr std::uint32_t of_children = child_threads | child_stuck | child_locks | child_objects;
}  // namespace external_event

// The next action of a thread.
struct ThreadRow {
    ThreadId thread;
    std::uint32_t announced;  // 0: the thread's own code runs, or the thread has ended
    std::uint32_t reserved;
    std::uint64_t code;  // as in Record
    Action action;
};

// A loaded file: the executable or a library.
struct ModuleRow {
    std::uint64_t base;  // load address: addresses in the file are relative to it
    std::uint64_t end;
    char path[most_path];
};

// A crash, described by the shim's signal handler.
struct Crash {
    std::uint32_t signal;
    std::uint32_t code;
    std::uint64_t address;      // the inaccessible address
    std::uint64_t instruction;  // address of the instruction that crashed
    ThreadId thread;
    std::uint32_t in_stack_guard;  // the thread's stack overflowed
    std::uint32_t reserved;
};

// The outcome of an execution.
struct Result {
    End end;
    std::uint32_t wait_status;  // of the process that ran the plan, if has_wait_status
    std::uint32_t has_wait_status;
    std::uint32_t event_count;  // grows during the execution: the supervisor measures progress by it
    std::uint32_t thread_count;
    std::uint32_t message_length;
    std::int64_t exit_status;
    std::uint64_t clocks;                // clock reads; these count as progress, too
    ThreadId last_thread;                // the thread that ran last
    std::uint32_t memory_found;          // number of sites marked in Channel::memory_found
    std::uint32_t memory_joined;         // rows of Channel::memory_joined
    std::uint32_t memory_stacks;         // a thread accessed another thread's stack
    std::uint32_t memory_calls;          // rows of Channel::memory_calls
    std::uint32_t memory_freed;          // rows of Channel::memory_freed
    std::uint32_t wants_kernel_threads;  // the execution ended because this program needs kernel threads
    std::uint32_t memory_spins;          // rows of Channel::memory_spins
    std::uint32_t code_words;            // used of Channel::code_words
    std::uint32_t memory_signals;        // a thread was sent a signal
    std::uint32_t cut_after_end;         // the process ended, and what other threads could have done before is unknown
    std::uint32_t wants_signal_checks;   // the execution ended because threads have to check for signals from the start
    std::uint32_t external_events;       // bits of external_event
    std::uint32_t made_code;             // the program made memory executable by itself
    std::uint32_t output_count;          // rows of Channel::outputs; most_outputs + 1: there were more
    std::uint64_t accesses;              // to memory, by patched instructions; slow ones count as several
    std::uint64_t visible_accesses;      // by visible instructions, …
    std::uint64_t visible_breakpoints;   // … and those among them that needed a breakpoint
    std::uint64_t unwatched;             // bit i: two threads ran code of the i-th unwatched module of the description
    std::uint64_t skipped;               // bit i: two threads ran the i-th skipped place of the description
    // Instructions of each unwatched module that two threads ran, if Settings::count_unwatched.
    std::uint32_t unwatched_instructions[memory::most_unwatched];
    std::uint32_t unfollowed_count;               // rows of `unfollowed`
    char unfollowed[most_unfollowed][most_name];  // functions of libc that were called beside other threads, and whose
                                                  // accesses to memory are not known
    char missing_call[most_name];                 // a system call that got ENOSYS, as in older kernels; empty: none
    Crash crash;
    char message[most_message];
};

// How executions got their processes, and why processes were discarded.
struct RestartCounts {
    std::uint64_t restored;   // executions in a process that was put back to its start, or to a checkpoint
    std::uint64_t forked;     // executions in a newly forked process
    std::uint64_t discarded;  // processes that could not be put back
    std::uint32_t in_a_row;   // processes discarded since the last one that was put back
    std::uint32_t given_up;   // processes are no longer put back
    std::uint64_t digest;     // of the program's memory at the end of the last execution, if has_digest
    std::uint32_t has_digest;
    std::uint32_t began_after;      // events that the last execution shares with the one before, by a checkpoint
    std::uint64_t resumed;          // of the restored executions, those that began at a checkpoint
    char reason[most_path];         // why the last process was discarded
    char no_checkpoint[most_path];  // why none was kept where the last one was wanted; empty: it was
};

// A thread spins: it came back to this site in the same state, read this value each time, and changed nothing.
struct FoundSpin {
    std::uint64_t state;
    std::uint64_t value;
    std::uint64_t site;  // as in Action::site
};

// A thread wrote to standard output (1) or error (2) after so many of its events, and the write was no action.
struct FreeOutput {
    ThreadId thread;
    std::uint32_t events;
    std::uint32_t number;
};

// A call of a function of libc, if Settings::note_calls asks for notes: of one that the shim stands in front of or, in
// instrumented modules, of one with effects on memory.
struct CallNote {
    ThreadId thread;
    std::uint64_t site;    // as in Action::site
    std::uint32_t events;  // of the execution, before the call
    std::uint32_t request;
    char function[most_name];
    char variable[most_name];  // of getenv: the name that was asked for
};

struct Channel {
    std::uint64_t magic;
    std::uint64_t bytes;  // sizeof(Channel): shim and supervisor are of one build
    Settings settings;
    std::uint32_t stage;     // a Stage
    std::uint32_t obstacle;  // an Obstacle
    std::uint32_t request;
    std::uint32_t reply;
    std::uint32_t taken;     // the request being carried out, or the last one that was
    std::uint32_t executor;  // the process that runs the plan; a hint for reports
    std::uint32_t keeper;    // the program was forked from this process, which waits for it; 0: it was launched
    std::uint32_t module_count;
    std::uint32_t held;  // the execution stands still (PlanHeader::hold); the supervisor clears it
    std::uint32_t reserved;
    std::uint32_t replaced;        // number of times the program replaced itself (exec) and the shim followed
    std::int32_t process, parent;  // process ids that the program's first image was given
    ShimTables tables;
    PlanHeader plan;
    Result result;
    RestartCounts restarts;
    char replacement[most_path];  // the file that the program is about to exec; the shim is not loaded there yet
    alignas(4096) ModuleRow modules[most_modules];
    alignas(4096) ThreadRow threads[most_threads];
    alignas(4096) Sleeper sleeping[most_sleeping];
    alignas(4096) ThreadWeight weights[most_weights];
    alignas(4096) PlannedStep prefix[most_events];
    alignas(4096) Record events[most_events];
    // New knowledge about memory accesses. It stays until the supervisor has read and cleared it.
    alignas(4096) std::uint8_t memory_found[memory::most_sites];
    memory::JoinedWord memory_joined[most_joined];
    memory::FreedBlock memory_freed[most_freed];
    std::uint64_t memory_calls[most_calls];  // return addresses of calls, as sites of actions
    FoundSpin memory_spins[most_spins];
    std::uint64_t code_words[most_code_words];  // for each label: it, the number of places, the places
    FreeOutput outputs[most_outputs];
    // While the execution is held: the lowest address in use on the stack of each thread. Below it are traces of
    // earlier calls.
    std::uint32_t held_stack_count;
    std::uint32_t reserved_too;
    std::uint64_t held_stacks[most_held_stacks];
    // A ring that keeps the newest; it begins with the launch.
    std::uint64_t call_notes_taken;
    CallNote call_notes[most_call_notes];
    Focus focus;  // set with the settings
};

static_assert(std::is_trivially_copyable_v<Channel>);

inline std::uint32_t load(const std::uint32_t& word) { return __atomic_load_n(&word, __ATOMIC_ACQUIRE); }
inline void store(std::uint32_t& word, std::uint32_t value) { __atomic_store_n(&word, value, __ATOMIC_RELEASE); }

}  // namespace raddle::channel
