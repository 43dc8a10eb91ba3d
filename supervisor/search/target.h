// A target runs plans: a process, or a program in memory.
#pragma once

#include <memory>

#include "supervisor/base/bytes.h"
#include "supervisor/trace/execution.h"

namespace raddle {

// The growth of a visible set, as far as it concerns knowledge from before.
class Growth {
public:
    virtual ~Growth() = default;
    // True if a thread that ran the code with this label (Event::code) and then announced this action may announce
    // something else now.
    virtual bool affects(std::uint64_t code, const Action& next) const = 0;
};

// The visible set: the instructions whose executions are actions of the model. Executions may show that more
// instructions must be visible. The set grows then, and a new epoch begins.
//
// Events carry labels of the watched code that was run before them. Only the set knows their meaning.
class VisibleSet {
public:
    virtual ~VisibleSet() = default;
    virtual std::uint64_t epoch() const = 0;
    // The growth since that epoch; null if everything may have changed.
    virtual std::unique_ptr<Growth> growth_since(std::uint64_t epoch) const {
        (void)epoch;
        return nullptr;
    }
    virtual void save(Writer& out) const = 0;
    virtual void load(Reader& in) = 0;
};

class Target {
public:
    virtual ~Target() = default;
    virtual Execution run(const Plan& plan) = 0;
};

}  // namespace raddle
