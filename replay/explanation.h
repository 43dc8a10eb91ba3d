// A bug explained, as plain data: what happened, who waits for whom, which steps matter, and what would have made it
// pass. Made by explain(), written as text by explain_text.h and as JSON by explain_json.h.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "replay/nearest.h"
#include "supervisor/trace/evidence.h"

namespace raddle {

// A step, or what a thread was about to do at the end.
struct ExplainedStep {
    std::size_t event = 0;         // its place in the execution; of a pending one, the number of events
    bool pending = false;
    ThreadId thread{};
    std::string text;              // "locks mutex a"
    Stack stack;
    std::string place;             // "abba.c:11"; empty: unknown
    std::string source;            // that line
    bool preempts = false;         // it comes before the thread before it was done
    bool decisive = false;
};

struct TitledStack {
    std::string title;
    Stack stack;
};

struct ExplainedThread {
    ThreadId id{};
    std::string function;          // where it begins; empty: unknown
    std::size_t steps = 0;
};

struct Explanation {
    Verdict verdict = Verdict::ok;
    std::string sentence;
    std::uint32_t preemptions = 0;
    bool fewest_proven = false;
    std::vector<ExplainedThread> threads;
    std::vector<ExplainedStep> steps;      // those that matter, in order
    std::size_t all_steps = 0;
    std::vector<ThreadId> actors;          // who took each of all steps
    std::vector<std::string> facts;        // who holds what since where, who waits where, what an address is, …
    std::vector<TitledStack> stacks;
    std::string decisive;                  // one sentence; empty: not known
    std::vector<std::string> explored;     // what was, and what was not
    std::string again;                     // the command line
};

struct ExplainInput {
    Evidence failing;
    MachineOptions machine;
    std::optional<NearestPassing> nearest;
    bool fewest_proven = false;
    std::vector<std::string> explored;
    std::string again;
    // The text of a line of a source file; empty if it cannot be read.
    std::function<std::string(const std::string& file, unsigned line)> source;
};

Explanation explain(const ExplainInput& input);

}  // namespace raddle
