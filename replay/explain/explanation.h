// A bug explained, as plain data: what happened, who waits for whom, which steps matter, and what would have made it
// pass. Made by explain(); written as text by explain_text.h, as JSON by explain_json.h, and in reports.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "replay/explain/nearest.h"
#include "supervisor/trace/evidence.h"

namespace raddle {

// Lines of a source file around one of them.
struct Snippet {
    std::string file;              // as the debug information has it
    unsigned first = 0;            // number of the first line
    unsigned marked = 0;
    std::vector<std::string> lines;  // none: the file cannot be read
};

// A step that matters, or what a thread was about to do at the end.
struct ExplainedStep {
    std::size_t event = 0;         // its place in the execution; of a pending one, the number of events
    bool pending = false;
    ThreadId thread{};
    std::string text;              // "locks mutex a"
    Stack stack;
    std::string place;             // "abba.c:11"; empty: unknown
    std::string source;            // that line
    Snippet snippet;               // and what is around it
    bool preempts = false;         // it comes before the thread before it was done
    bool decisive = false;
    std::vector<std::size_t> held_by;  // of a pending one: the events that took what it waits for
};

// Any step, in short.
struct TakenStep {
    ThreadId thread{};
    std::string text;
    std::string place;
    bool decisive = false;
};

// The event `before` happens before `after`, in another thread, and nothing in between says so.
struct Order {
    std::size_t before = 0, after = 0;

    friend bool operator==(const Order&, const Order&) = default;
};

// Who had a lock from which step to which.
struct HeldLock {
    ThreadId thread{};
    std::string name;              // "mutex a"
    std::size_t from = 0;
    std::optional<std::size_t> to; // none: still held at the end
    bool shared = false;           // others could hold it, too
};

struct TitledStack {
    std::string title;
    Stack stack;
    Snippet snippet{};             // of the program's own function in it
};

struct ExplainedThread {
    ThreadId id{};
    std::string function;          // where it begins; empty: unknown
    std::size_t steps = 0;
};

struct Explanation {
    Verdict verdict = Verdict::ok;
    std::string message;                   // what was wrong, in one line that lists can show
    std::string sentence;                  // the same, told in full, with the kind of bug before it
    std::uint32_t preemptions = 0;
    bool fewest_proven = false;
    std::vector<ExplainedThread> threads;
    std::vector<ExplainedStep> steps;      // those that matter, in order
    std::size_t all_steps = 0;
    std::optional<ExplainedStep> end;      // what a thread did last without a step: it crashed, or hangs
    std::vector<TakenStep> taken;          // all steps
    std::vector<Order> orders;             // between all steps
    std::vector<Order> shown_orders;       // between those that matter
    std::vector<HeldLock> held;
    std::vector<std::string> facts;        // who holds what since where, who waits where, what an address is, …
    std::vector<TitledStack> stacks;
    std::string decisive;                  // one sentence; empty: not known
    std::vector<TakenStep> passing;        // all steps of the nearest execution that passes
    std::size_t shared = 0;                // so many are the same at the beginning
    std::vector<std::string> explored;     // what was, and what was not
    std::string again;                     // the command line
};

struct ExplainInput {
    Evidence failing;
    MachineOptions machine;
    std::optional<NearestPassing> nearest;
    Evidence passing;              // of the nearest; without stacks, its steps have no places
    bool fewest_proven = false;
    std::vector<std::string> explored;
    std::string again;
    // A line of a source file as it is written; nothing if there is none.
    std::function<std::optional<std::string>(const std::string& file, unsigned line)> source;
};

Explanation explain(const ExplainInput& input);

}  // namespace raddle
