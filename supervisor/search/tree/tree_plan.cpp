#include "supervisor/search/tree/tree_plan.h"

namespace raddle {

namespace {

Sleeper sleeper(const Machine& machine, const SleepStep& asleep) {
    Sleeper sleeper(machine.thread(asleep.step.thread).id);
    sleeper.value = asleep.step.value;
    if (asleep.used.count > std::size(sleeper.uses)) return sleeper;
    sleeper.use_count = asleep.used.count;
    for (std::uint8_t i = 0; i < asleep.used.count; ++i)
        sleeper.uses[i] = {machine.object(asleep.used.use[i].object).id, asleep.used.use[i].mode};
    return sleeper;
}

}  // namespace

Plan plan_of(const TreePlan& tree, const Machine& machine) {
    Plan plan;
    for (const TreeStep& step : tree.path) plan.prefix.push_back({machine.thread(step.thread).id, step.value});
    for (const SleepStep& asleep : tree.sleeping) plan.sleeping.push_back(sleeper(machine, asleep));
    return plan;
}

}  // namespace raddle
