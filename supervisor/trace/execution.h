// The request to a target (Step, Schedule, Plan) and its answer (Event, Execution, Verdict).
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "supervisor/model/tail.h"
#include "supervisor/trace/events.h"
#include "supervisor/trace/modules.h"
#include "supervisor/trace/names.h"
#include "supervisor/trace/standing.h"

namespace raddle {

using Step = PlannedStep;
constexpr bool operator==(const Step& a, const Step& b) { return a.thread == b.thread && a.value == b.value; }

// The choices of an execution: they suffice to replay it.
using Schedule = std::vector<Step>;

// A label of watched code (Event::code) that stands for any code.
inline constexpr std::uint64_t any_code = ~std::uint64_t{0};

// The next action of a thread at the end of the execution.
struct Pending {
    ThreadId thread{};
    Action action{};
    std::uint64_t code = 0;  // as in Event
};

// Each verdict, its use to a search, and its words.
//
//     ended      the execution came to its end, without a bug
//     bug        it came to its end, or to its bug
//     abandoned  the search gave it up as equivalent to a known execution
//     cut        it stopped early: the search does not know how its schedule goes on
//     doubtful   something besides the schedule decided it
// clang-format off
#define RADDLE_VERDICTS(row)                                                             \
    row(ok,           ended,     "ended as it should")                                   \
    row(deadlock,     bug,       "threads wait for each other for ever")                 \
    row(assertion,    bug,       "an assertion failed or the program aborted")           \
    row(crash,        bug,       "a signal killed the program")                          \
    row(exit_status,  bug,       "the program ended with a status other than 0")         \
    row(output,       bug,       "the program wrote what it should not")                 \
    row(misuse,       bug,       "a synchronisation object was misused")                 \
    row(race,         bug,       "unordered accesses to one variable")                   \
    row(livelock,     bug,       "threads spin for ever")                                \
    row(step_limit,   cut,       "more steps than allowed")                              \
    row(uncontrolled, cut,       "a thread blocks or spins where raddle cannot see it")  \
    row(outside,      doubtful,  "something outside the program came at a moment of its own") \
    row(diverged,     doubtful,  "the program did not do again what it did before")      \
    row(abandoned,    abandoned, "given up as equivalent to an execution known")         \
    row(stopped,      cut,       "stopped where the plan said so")                       \
    row(unknown,      cut,       "led beyond what is known")                             \
    row(not_looked_at, doubtful, "threads met where raddle did not look")                \
    row(thread_limit, cut,       "more threads than --max-threads allows")               \
    row(missing_call, doubtful,  "a system call got ENOSYS, as in older kernels") \
    row(sanitizer,    bug,       "a sanitizer reported an error")
// clang-format on

// Stored on disk by name.
enum class Verdict : std::uint8_t {
#define RADDLE_ROW(name, use, text) name,
    RADDLE_VERDICTS(RADDLE_ROW)
#undef RADDLE_ROW
};
enum class VerdictUse : std::uint8_t { ended, bug, abandoned, cut, doubtful };
VerdictUse use_of(Verdict verdict);
const char* name_of(Verdict verdict);
const char* text_of(Verdict verdict);
// Throws BadInput.
Verdict parse_verdict(const std::string& name);
// True for a bug of the program, false for a limit of the tool.
bool is_bug(Verdict verdict);
// The execution stopped early: the search does not know how its schedule goes on.
bool is_cut(Verdict verdict);

struct Plan {
    std::uint64_t id = 0;
    Schedule prefix;
    std::vector<Sleeper> sleeping;
    std::vector<ThreadWeight> weights;
    Tail tail{};
    std::uint64_t max_steps = 0;
    std::uint64_t epoch = 0;   // the visible set's epoch when the plan was made, see search/target.h
    bool comes_again = false;  // with more steps, if this limit of steps cuts it (search/around/rising_steps.h)

    PlanView view() const;
};

struct Execution {
    Events events;
    std::vector<Pending> pending;
    Verdict verdict = Verdict::ok;
    std::int64_t exit_status = 0;
    std::string message;
    std::uint64_t site = 0;                    // the code that failed, as Action::site; 0: unknown
    std::shared_ptr<const Modules> modules;    // null: a program in memory has none, or they are unknown
    std::shared_ptr<const Standing> standing;  // of its threads, if it did nothing visible any more; null: otherwise
    std::string output, errors;                // captured only on request
    std::string
        external_event;        // an event that the schedule does not decide, such as a signal from outside; empty: none
    std::string cut_short;     // the process ended, and what other threads could have done before is unknown: why
    std::string missing_call;  // a system call that raddle answers with ENOSYS, in words; empty: none
    std::string not_looked_at;        // code that two threads ran and whose accesses were not looked at; empty: none
    bool leaves_output_open = false;  // threads wrote output in an order that no event decides (output_order.h)
    bool waits_long = false;          // beside other threads (long_waits.h)
    bool is_void = false;             // the visible set changed since the plan was made: nothing can be learned from it

    Schedule schedule() const;
};
bool has_one_thread(const Execution& execution);

// The verdict of an execution that no thread can continue. Processes and programs in memory share this rule.
Verdict verdict_of(const Machine& machine);

// "T0*3 T1 T2.1=2 T0": the thread's name, the number of steps in a row, and the alternative unless it is the first.
std::string text_of(const Schedule& schedule);
// A schedule that somebody else wrote has no more steps than that.
inline constexpr std::uint64_t most_steps_read = 10'000'000;
// Throws BadInput that says what was expected.
Schedule parse_schedule(const std::string& text);
ThreadId parse_thread(const std::string& text);
std::string text_of(const Event& event);
bool touches_freed_memory(const Event& event);   // reads or writes it, or frees it again
std::string text_of_misuse(const Event& event);  // "writes to memory that was freed"

}  // namespace raddle
