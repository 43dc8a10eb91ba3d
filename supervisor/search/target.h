// Something that can be run under a plan: a process, or a program in memory.
#pragma once

#include "supervisor/trace/execution.h"

namespace raddle {

class Target {
public:
    virtual ~Target() = default;
    virtual Execution run(const Plan& plan) = 0;
};

}  // namespace raddle
