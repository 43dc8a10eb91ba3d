#include "supervisor/engine/program/naps.h"

#include <algorithm>

#include "supervisor/campaign/repetition.h"
#include "supervisor/engine/program/memory_trial.h"

namespace raddle {

namespace {

// Without preemptions, once the visible set no longer grows.
Verdict verdict_of_one(ProcessOptions process, bool naps, std::uint64_t& executed) {
    process.naps = naps;
    process.output = process.errors = Output::discard;
    process.max_steps = std::min(process.max_steps, trial_limits::steps);
    process.most_accesses = trial_limits::accesses;
    if (process.code) process.code = process.code->anew();
    ProcessTarget target(process);
    Execution execution;
    for (int epochs = 0; epochs < trial_limits::epochs; ++epochs) {
        Plan plan;
        plan.epoch = process.code ? process.code->epoch() : 0;
        execution = target.run(plan);
        ++executed;
        if (!execution.is_void) break;
    }
    return execution.verdict;
}

}  // namespace

bool needs_naps(const ProcessOptions& process, const std::function<bool()>& is_interrupted, std::uint64_t& executed) {
    try {
        if (verdict_of_one(process, false, executed) != Verdict::step_limit || is_interrupted()) return false;
        return is_repeatable(verdict_of_one(process, true, executed));
    } catch (const CannotRun&) {
        return false;  // the campaign says why
    }
}

void settle_naps(Settings& settings, bool naps) {
    if (naps) settings.decide("naps", {"always"});
}

}  // namespace raddle
