#include "cli/stored_status.h"

#include <algorithm>

#include "supervisor/base/text.h"

namespace raddle::cli {

std::string known_text(const Coverage& coverage, bool has_focus) {
    std::string text = counted(coverage.executions, "execution");
    if (coverage.void_executions > 0) text += " and " + counted(coverage.void_executions, "void one");
    text += ", " + counted(coverage.graphs, "graph");
    const std::string every = has_focus ? "; every schedule of the focus" : "; every schedule";
    if (coverage.exhausted) return text + every;
    if (coverage.complete_to) text += every + " with at most " + counted(*coverage.complete_to, "preemption");
    if (coverage.is_sweeping) text += std::string("; ") + sweeping_text;
    return text;
}

CampaignProgress as_told(const StoredProgress& stored, std::size_t bugs) {
    CampaignProgress progress;
    progress.coverage = stored.coverage;
    progress.seconds = static_cast<double>(stored.milliseconds) / 1000;
    progress.bugs = bugs;
    progress.executions_per_second = stored.executions_per_second;
    progress.remaining = stored.remaining;
    progress.remaining_in_all = stored.remaining_in_all;
    return progress;
}

std::size_t real_bugs(const std::vector<Bug>& bugs) {
    return static_cast<std::size_t>(
        std::count_if(bugs.begin(), bugs.end(), [](const Bug& bug) { return is_bug(bug.found.verdict); }));
}

std::string asked_text(const LastRun& run) {
    return run.bound ? "every schedule with at most " + counted(*run.bound, "preemption") : "every schedule";
}

}  // namespace raddle::cli
