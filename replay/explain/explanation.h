// An explained bug as plain data: the failure, waiters and owners, the steps that matter, and the change that would
// have made the execution pass. explain() makes it; explain_text.h and explain_json.h write it, and so do the reports.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "replay/explain/nearest.h"
#include "supervisor/trace/evidence.h"

namespace raddle {

// A source line and its neighbours.
struct Snippet {
    std::string file;    // path in the debug information
    unsigned first = 0;  // number of the first line
    unsigned marked = 0;
    std::vector<std::string> lines;  // empty: the file cannot be read
};

// A step that matters, or the action that a thread had announced at the end.
struct ExplainedStep {
    std::size_t event = 0;  // its position in the execution; for a pending action, the number of events
    bool pending = false;
    ThreadId thread{};
    std::string text;  // "locks mutex a"
    Stack stack;
    std::string location;   // "abba.c:11"; empty: unknown
    std::string source;     // that source line
    Snippet snippet;        // and its neighbours
    bool preempts = false;  // the previous thread could have continued
    bool decisive = false;
    std::vector<std::size_t> held_by;  // for a pending action: the events that took the object it waits for
};

// Any step, in short form.
struct TakenStep {
    ThreadId thread{};
    std::string text;
    std::string location;
    bool decisive = false;
    std::string variable{}, value{};  // of an access to memory: its variable, and the value after it; empty: unknown
};

// "reads variable x (0)"
inline std::string text_with_value(const TakenStep& step) {
    return step.text + (step.value.empty() ? "" : " (" + step.value + ")");
}

// The event `before` happens before `after`, which belongs to another thread. Transitive pairs are omitted.
struct Order {
    std::size_t before = 0, after = 0;

    friend bool operator==(const Order&, const Order&) = default;
};

// A lock, its owner, and the steps between which it was held.
struct HeldLock {
    ThreadId thread{};
    std::string name;  // "mutex a"
    std::size_t from = 0;
    std::optional<std::size_t> to;  // none: held until the end
    bool shared = false;            // held for reading, so other threads could hold it too
};

struct TitledStack {
    std::string title;
    Stack stack;
    Snippet snippet{};  // around the innermost function of the program itself
};

struct ExplainedThread {
    ThreadId id{};
    std::string function;  // the start function; empty: unknown
    std::size_t steps = 0;
};

struct Explanation {
    Verdict verdict = Verdict::ok;
    std::string message;   // the failure in one line, for lists
    std::string sentence;  // the failure in full, after the kind of bug
    std::uint32_t preemptions = 0;
    bool fewest_proven = false;
    std::vector<ExplainedThread> threads;
    std::vector<ExplainedStep> steps;  // the steps that matter, in order
    std::size_t steps_to_end = 0;      // a thread ended the process then; steps of others may follow
    std::size_t all_steps = 0;
    std::optional<ExplainedStep> end;  // the last act of a thread that is not a step: it crashed, or hangs
    std::vector<TakenStep> taken;      // all steps
    std::vector<Order> orders;         // among all steps
    std::vector<Order> shown_orders;   // among the steps that matter
    std::vector<HeldLock> held;
    std::vector<std::string> facts;  // owners, waiters, meanings of addresses, …
    std::vector<TitledStack> stacks;
    std::string decisive;               // one sentence; empty: not known
    std::vector<TakenStep> passing;     // all steps of the nearest execution that passes
    std::size_t shared = 0;             // number of equal steps at the beginning
    std::vector<std::string> explored;  // what the campaign explored, and what it did not
    std::string again;                  // command line to run it again
};

struct ExplainInput {
    Evidence failing;
    MachineOptions machine;
    std::optional<NearestPassing> nearest;
    Evidence passing;  // the nearest passing execution; without stacks, its steps have no locations
    bool fewest_proven = false;
    std::vector<std::string> explored;
    std::string again;
    // One line of a source file; nothing if it does not exist.
    std::function<std::optional<std::string>(const std::string& file, unsigned line)> source;
};

Explanation explain(const ExplainInput& input);

}  // namespace raddle
