#include "replay/schedule/proof.h"

#include "supervisor/trace/bug_key.h"
#include "supervisor/trace/replay_machine.h"

namespace raddle {

namespace {

std::optional<Divergence> difference_of(const Finding& finding, const std::vector<RecordedStep>& steps,
                                        const Execution& execution) {
    if (!steps.empty())
        if (const auto difference = first_difference(steps, execution)) return difference;
    if (execution.verdict == finding.verdict && bug_key_of(execution) == finding.key) return std::nullopt;
    const std::string ending = execution.message.empty() ? text_of(execution.verdict) : execution.message;
    return Divergence{
        execution.events.size() + 1, finding.message, std::string(name_of(execution.verdict)) + ": " + ending,
        "it depends on something besides the schedule: time, memory never written, files, other processes"};
}

}  // namespace

Proof prove(Target& target, const Finding& finding, unsigned runs) {
    Proof proof;
    std::vector<RecordedStep> steps;
    Plan plan;
    plan.prefix = finding.schedule;
    while (proof.runs < runs) {
        Execution execution = target.run(plan);
        ++proof.runs;
        const std::optional<Divergence> difference = difference_of(finding, steps, execution);
        if (!difference) {
            ++proof.reproduced;
            if (!steps.empty()) continue;
            steps = recorded(execution);
        } else if (!proof.divergence) {
            proof.divergence = difference;
        }
        if (!difference || steps.empty()) proof.execution = std::move(execution);
    }
    return proof;
}

Cost cost_of(const Execution& execution, const MachineOptions& options) {
    ReplayMachine machine(options);
    machine.begin(execution);
    machine.feed_all();
    Cost cost{machine.preemptions(), 0, execution.events.size()};
    for (std::size_t i = 1; i < execution.events.size(); ++i)
        cost.switches += execution.events[i].thread == execution.events[i - 1].thread ? 0 : 1;
    return cost;
}

}  // namespace raddle
