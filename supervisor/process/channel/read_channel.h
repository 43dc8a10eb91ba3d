// Copies the record of a target out of shared memory and trusts nothing: it bounds every number, checks every
// enumerator, and reads nothing twice. The target may still be writing.
#pragma once

#include <string>
#include <vector>

#include "supervisor/protocol/channel.h"
#include "supervisor/trace/execution.h"
#include "supervisor/trace/output_order.h"

namespace raddle {

inline constexpr std::size_t no_event = ~std::size_t{0};

struct Observed {
    channel::End end = channel::End::running;
    bool damaged = false;  // some value is impossible: the target overwrote the channel
    Events events;
    std::size_t known_events = 0;         // the first ones, which were read after the execution before
    std::size_t first_misuse = no_event;  // among them all
    std::vector<Pending> pending;
    std::int64_t exit_status = 0;
    std::string message;
    channel::Crash crash{};
    std::uint32_t external_events = 0;  // bits of channel::external_event
    bool cut_after_end = false;         // what other threads could have done before the end is unknown
    ThreadId last_thread{};
    std::uint64_t accesses = 0, visible_accesses = 0, visible_breakpoints = 0;
    std::uint64_t unwatched = 0;  // bits of channel::Result::unwatched
    std::uint64_t skipped = 0;    // bits of channel::Result::skipped
    std::vector<std::uint32_t> unwatched_instructions;
    bool made_code = false;
    std::string missing_call;             // as channel::Result::missing_call
    FreeWrites free_writes;               // to standard output (1) and error (2)
    std::vector<std::string> unfollowed;  // as channel::Result::unfollowed
    bool has_wait_status = false;
    int wait_status = 0;
    Modules modules;
    std::string replacement;  // the program it was about to exec, or did out of our sight
};

// Text of the target without control characters.
std::string printable(const char* text, std::size_t length);

// Events that the execution may share with the one before, because it began at a checkpoint
// (RestartCounts::began_after).
struct Beginning {
    Events events;
    std::size_t first_misuse = no_event;  // of the execution before
};
Observed read_channel(const channel::Channel& channel, const Beginning& beginning = {});

// During a run: the complete events from number `from` on, and the modules. Other fields stay empty.
Observed read_events_so_far(const channel::Channel& channel, std::uint32_t from);

// The announced actions. Damaged ones are left out.
std::vector<Pending> read_pending(const channel::Channel& channel);

// A call of the program (channel::CallNote).
struct Call {
    ThreadId thread{};
    std::uint64_t site = 0;    // as Action::site
    std::uint32_t events = 0;  // of the execution, before the call
    std::uint32_t request = 0;
    std::string function;
    std::string variable;  // of getenv
};
// The newest ones, oldest first.
std::vector<Call> read_calls(const channel::Channel& channel);

// While the target is held: the lowest address in use on each stack.
std::vector<std::uint64_t> read_held_stacks(const channel::Channel& channel);

// Counters that show whether the target makes progress.
struct Progress {
    std::uint32_t events = 0;
    std::uint64_t clocks = 0;
    friend bool operator==(const Progress&, const Progress&) = default;
};
Progress progress_of(const channel::Channel& channel);

}  // namespace raddle
