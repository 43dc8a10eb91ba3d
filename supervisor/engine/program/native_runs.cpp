#include "supervisor/engine/program/native_runs.h"

#include "supervisor/base/text.h"
#include "supervisor/process/launch/native_run.h"

namespace raddle {

namespace {

constexpr unsigned wanted_runs = 2;

bool is_failure(const NativeEnd& end, const VerdictRules& rules) {
    if (end.signal) return true;
    Execution execution;
    execution.verdict = Verdict::exit_status;
    execution.exit_status = end.exit_status;
    rules.expectations.apply_to_exit(execution);
    return execution.verdict != Verdict::ok;
}

std::string sentence(const NativeRuns& seen, const std::vector<std::string>& ends) {
    const std::string how = " (" + joined(ends, ", ") + ")";
    if (seen.runs < wanted_runs) return "the first execution fails under raddle; native runs did not end in time" + how;
    if (seen.failed == wanted_runs) return "the first execution fails, and so did two native runs" + how;
    if (seen.failed > 0) return "the first execution fails, and so did one of two native runs" + how;
    return "the first execution fails under raddle, two native runs did not" + how +
           "; its order of threads is rare natively, or something that raddle changes matters (raddle doctor; try --env, "
           "--threads kernel)";
}

}  // namespace

bool shows_natively(Verdict verdict) {
    return verdict == Verdict::crash || verdict == Verdict::assertion || verdict == Verdict::exit_status ||
           verdict == Verdict::sanitizer;
}

NativeRuns run_twice_natively(const ProcessOptions& options, const VerdictRules& rules) {
    NativeRuns seen;
    std::vector<std::string> ends;
    try {
        for (unsigned i = 0; i < wanted_runs; ++i) {
            const NativeEnd end = run_natively(options);
            ends.push_back(text_of(end));
            if (!end.ended) continue;
            ++seen.runs;
            if (is_failure(end, rules)) ++seen.failed;
        }
    } catch (const BadInput& error) {
        seen.text =
            "the first execution fails under raddle; a native run was not possible: " + std::string(error.what());
        return seen;
    }
    seen.text = sentence(seen, ends);
    return seen;
}

}  // namespace raddle
