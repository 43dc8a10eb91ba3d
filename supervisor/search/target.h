// A target runs plans: a process, or a program in memory.
#pragma once

#include "supervisor/base/bytes.h"
#include "supervisor/trace/execution.h"

namespace raddle {

// The visible set: the instructions whose executions are actions of the model. Executions may show that more
// instructions must be visible. The set grows then, and a new epoch begins.
class VisibleSet {
public:
    virtual ~VisibleSet() = default;
    virtual std::uint64_t epoch() const = 0;
    virtual void save(Writer& out) const = 0;
    virtual void load(Reader& in) = 0;
};

class Target {
public:
    virtual ~Target() = default;
    virtual Execution run(const Plan& plan) = 0;
};

}  // namespace raddle
