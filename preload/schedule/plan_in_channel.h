// The supervisor's plan, as the chooser wants it.
#pragma once

#include "supervisor/model/tail.h"
#include "supervisor/protocol/channel.h"

namespace raddle::scheduler {

inline PlanView plan_in(const channel::Channel& channel) {
    const channel::PlanHeader& header = channel.plan;
    PlanView plan;
    plan.prefix = channel.prefix;
    plan.prefix_length = header.prefix_length;
    plan.sleeping = channel.sleeping;
    plan.sleeping_count = header.sleeping_count;
    plan.weights = channel.weights;
    plan.weight_count = header.weight_count;
    plan.tail = header.tail;
    plan.max_steps = header.max_steps;
    return plan;
}

}  // namespace raddle::scheduler
