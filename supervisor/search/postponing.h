// For strategies that need not wait for a plan whose execution a first limit of steps cut (around/rising_steps.h).
#pragma once

#include "supervisor/trace/execution.h"

namespace raddle {

class Postponing {
public:
    virtual ~Postponing() = default;

    enum class Answer : std::uint8_t {
        waits,  // the strategy waits for the plan
        keeps,  // it goes on without the plan, and wants it given back once next() has nothing else
        drops,  // it wants the plan no more
    };
    // The execution of the plan was cut, and comes again with more steps. The plan is out, as far as it knows.
    virtual Answer postpone(const Plan& plan) = 0;
};

}  // namespace raddle
