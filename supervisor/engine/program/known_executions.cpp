#include "supervisor/engine/program/known_executions.h"

#include <algorithm>

namespace raddle {

namespace {

bool is_same(const Tail& a, const Tail& b) {
    return a.kind == b.kind && a.leaves_out_impossible == b.leaves_out_impossible && a.depth == b.depth &&
           a.seed == b.seed && a.length == b.length && a.most_preemptions == b.most_preemptions &&
           a.interest == b.interest;
}

// The plan asks for the steps of a known execution and then for a tail that would have made them. Behind a prefix, only
// the tail random goes on as without it.
bool answers(const KnownExecution& known, const Plan& plan) {
    if (plan.epoch != known.plan.epoch || !plan.sleeping.empty() || !plan.weights.empty()) return false;
    if (!is_same(plan.tail, known.plan.tail)) return false;
    if (plan.max_steps != 0 && known.execution.events.size() >= plan.max_steps) return false;
    if (plan.prefix == known.plan.prefix) return true;
    if (plan.tail.kind != TailKind::random || !known.plan.prefix.empty()) return false;
    const Schedule schedule = known.execution.schedule();
    return plan.prefix.size() <= schedule.size() &&
           std::equal(plan.prefix.begin(), plan.prefix.end(), schedule.begin());
}

}  // namespace

std::optional<Execution> KnownExecutions::take(const Plan& plan) {
    const std::lock_guard lock(lock_);
    const auto found =
        std::find_if(known_.begin(), known_.end(), [&](const KnownExecution& known) { return answers(known, plan); });
    if (found == known_.end()) return std::nullopt;
    Execution execution = std::move(found->execution);
    known_.erase(found);
    ++taken_;
    return execution;
}

std::uint64_t KnownExecutions::taken() const {
    const std::lock_guard lock(lock_);
    return taken_;
}

}  // namespace raddle
