#include "supervisor/engine/divergence/repetitions.h"

#include <algorithm>

#include "supervisor/campaign/repetition.h"

namespace raddle {

namespace {

// The visible set may grow with the first executions.
constexpr unsigned most_void = 6;

std::optional<Execution> run_settled(Target& target, const Schedule& schedule, const ProcessOptions& process) {
    for (unsigned i = 0; i < most_void; ++i)
        if (Execution execution = target.run(plan_of(schedule, process)); !execution.is_void) return execution;
    return std::nullopt;
}

}  // namespace

ProcessOptions quiet(ProcessOptions process) {
    process.output = process.errors = Output::discard;
    process.check_every = 0;  // the caller compares
    return process;
}

Plan plan_of(const Schedule& schedule, const ProcessOptions& process) {
    Plan plan;
    plan.prefix = schedule;
    plan.epoch = process.code ? process.code->epoch() : 0;
    return plan;
}

Plan plan_until(const Schedule& schedule, std::size_t steps, const ProcessOptions& process) {
    Plan plan = plan_of(schedule, process);
    plan.prefix.resize(std::min(steps, plan.prefix.size()));
    plan.tail.kind = TailKind::stop;
    return plan;
}

Repetitions repeated(const ProcessOptions& process, const VerdictRules& rules, const Schedule& schedule, Across across,
                     unsigned runs, const std::function<bool()>& is_over) {
    Repetitions result;
    result.across = across;
    TargetPool pool(process, rules);
    std::unique_ptr<Target> target = pool.make();
    std::optional<Execution> first = run_settled(*target, schedule, process);
    if (!first) return result;
    result.first = std::move(*first);
    while (result.runs < runs && !is_over()) {
        if (across == Across::launches) {
            target.reset();  // before the new one, so that there are never two
            target = pool.make();
        }
        const std::optional<Execution> again = run_settled(*target, schedule, process);
        if (!again) break;
        ++result.runs;
        const std::optional<Finding> difference = difference_between(result.first, *again);
        if (!difference) continue;
        ++result.differed;
        if (result.other) continue;
        result.other = *again;
        result.step = difference->schedule.size() + 1;
    }
    return result;
}

}  // namespace raddle
