// The execution that an explanation is about, and the parts of the explanation of its failure.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "replay/explain/blocked.h"
#include "replay/explain/explanation.h"
#include "replay/explain/history.h"
#include "supervisor/trace/evidence.h"

namespace raddle {

struct Failing {
    const Evidence& evidence;
    const History& history;
    const Blocked& blocked;

    const Execution& execution() const { return evidence.execution; }
    // Empty if none was taken.
    const Stack& stack_of(std::size_t event) const;
    const Stack& pending_stack(ThreadId thread) const;
    // True for a timer of the program, which the model has as a thread.
    bool is_timer(ThreadId thread) const;
};

// The steps and objects that matter.
struct Focus {
    std::set<std::size_t> events;
    std::set<std::size_t> decisive;
    std::set<ObjectId> objects;
};

struct Failure {
    std::string sentence;
    std::string message;  // for lists; empty: the sentence serves
    std::vector<std::string> facts;
    std::vector<TitledStack> stacks;
    std::optional<std::string> last_act;  // of the thread with the fault, if that is no step: it crashed, or hangs
    Focus focus;
};

// A starting thread has no location yet, and exit() may be called outside the program's own code.
bool has_own_location(Operation operation, const Stack& stack);

}  // namespace raddle
