// What is asked of a target and what comes back: Step, Schedule, Plan; Event, Execution, Verdict.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "supervisor/model/tail.h"
#include "supervisor/trace/modules.h"

namespace raddle {

using Step = PlannedStep;
constexpr bool operator==(const Step& a, const Step& b) { return a.thread == b.thread && a.value == b.value; }

// The choices that make an execution: enough to replay it.
using Schedule = std::vector<Step>;

struct Event {
    ThreadId thread{};
    std::uint32_t value = 0;  // which alternative was taken
    Effect effect = Effect::done;
    Misuse misuse = Misuse::none;
    std::int64_t result = 0;
    Action action{};
};

// What a thread was about to do when the execution ended.
struct Pending {
    ThreadId thread{};
    Action action{};
};

#define RADDLE_VERDICTS(row)                                                                      \
    row(ok, "ended as it should")                                                                 \
    row(deadlock, "threads wait for each other for ever")                                         \
    row(assertion, "an assertion failed or the program aborted")                                  \
    row(crash, "a signal killed the program")                                                     \
    row(exit_status, "the program ended with a status other than 0")                              \
    row(output, "the program wrote what it should not")                                           \
    row(misuse, "a synchronisation object was misused")                                           \
    row(race, "unordered accesses to one variable")                                               \
    row(livelock, "threads spin for ever")                                                        \
    row(step_limit, "more steps than allowed")                                                    \
    row(uncontrolled, "a thread blocks or spins where raddle cannot see it")                      \
    row(outside, "something outside the program came at a moment of its own")                     \
    row(diverged, "the program did not do again what it did before")                              \
    row(abandoned, "given up as equivalent to an execution known")                                \
    row(stopped, "stopped where the plan said so")                                                \
    row(unknown, "led beyond what is known")

// Stored on disk by name.
enum class Verdict : std::uint8_t {
#define RADDLE_ROW(name, text) name,
    RADDLE_VERDICTS(RADDLE_ROW)
#undef RADDLE_ROW
};
const char* name_of(Verdict verdict);
const char* text_of(Verdict verdict);
// Throws BadInput.
Verdict parse_verdict(const std::string& name);
// A bug of the program, as opposed to a limit of what was done with it.
bool is_bug(Verdict verdict);
// The program ended, or was stopped, without the search having been told how its schedule goes on.
bool is_cut(Verdict verdict);

struct Plan {
    std::uint64_t id = 0;
    Schedule prefix;
    std::vector<Sleeper> sleeping;
    Tail tail{};
    std::uint64_t max_steps = 0;
    std::uint64_t epoch = 0;  // of the visible set it was made on, see search/target.h

    PlanView view() const;
};

struct Execution {
    std::vector<Event> events;
    std::vector<Pending> pending;
    Verdict verdict = Verdict::ok;
    std::int64_t exit_status = 0;
    std::string message;
    std::uint64_t site = 0;                  // where the program failed, as Action::site, if that is known
    std::shared_ptr<const Modules> modules;  // null: of none, as programs in memory, or unknown
    std::string output, errors;  // what it wrote, where somebody wants to know
    std::string external_event;  // what its schedule does not decide: that came at a moment of its own; empty: nothing
    bool is_void = false;  // it consisted of less, or more, than its plan was made for: nothing follows from it

    Schedule schedule() const;
};

// How an execution in which nobody can go on ended, by what the machine knows; the same for real and in-memory ones.
Verdict verdict_of(const Machine& machine);

// "T0*3 T1 T2.1=2 T0": a thread's name, how many steps in a row, and the alternative taken where it is not the first.
std::string name_of(ThreadId thread);
std::string text_of(const Schedule& schedule);
// Throws BadInput with what was expected.
Schedule parse_schedule(const std::string& text);
ThreadId parse_thread(const std::string& text);
std::string name_of(const ObjectId& object);
std::string text_of(const Event& event);
bool touches_freed_memory(const Event& event);    // itself, or frees it again
std::string text_of_misuse(const Event& event);  // "writes to memory that was freed"

}  // namespace raddle
