// Something that can be run under a plan: a process, or a program in memory.
#pragma once

#include "supervisor/base/bytes.h"
#include "supervisor/trace/execution.h"

namespace raddle {

// What executions of a target consist of, where that can turn out to be more than was known. Each time it does, a new
// epoch begins.
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
