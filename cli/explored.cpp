#include "cli/explored.h"

#include <algorithm>

#include "cli/text.h"
#include "supervisor/campaign.h"

namespace raddle::cli {

namespace fs = std::filesystem;

namespace {

// Stored by the name of the option; campaigns of older versions had none.
std::string level_of(const CampaignStore& store) {
    const std::string level = store.identity().value_of("--memory");
    return level.empty() ? "sync" : level;
}

std::string so_much(const Coverage& coverage) { return counted(coverage.graphs, "graph") + ", " + counted(coverage.executions, "execution"); }

}  // namespace

Explored explored_by(const CampaignStore& store) {
    Explored explored;
    StoredProgress progress;
    std::vector<StoredCut> cuts;
    store.read_together([&] {
        progress = store.progress();
        cuts = store.cuts();
    });
    const Coverage& coverage = progress.coverage;
    if (coverage.exhausted) {
        explored.yes.push_back("every schedule (" + so_much(coverage) + ")");
    } else if (coverage.complete_to) {
        const std::string bound = counted(*coverage.complete_to, "preemption");
        explored.yes.push_back("every schedule with at most " + bound + " (" + so_much(coverage) + ")");
        explored.no.push_back("schedules with more than " + bound + (coverage.bound > *coverage.complete_to ? ", except some with " + std::to_string(coverage.bound) : ""));
    } else {
        explored.yes.push_back(so_much(coverage) + "; no bound on preemptions is complete");
        explored.no.push_back("all other schedules, as many as there are");
    }
    if (coverage.abandoned > 0) explored.yes.push_back(counted(coverage.abandoned, "execution") + " given up as equivalent to known ones");
    CampaignResult result;
    result.complete = true;
    result.coverage = coverage;
    for (const StoredCut& cut : cuts) result.cuts.push_back({cut.first, cut.times});
    for (const std::string& reason : result.incomplete_because()) explored.no.push_back(reason);
    const std::string level = level_of(store);
    if (level == "sync") {
        explored.no.push_back("the order of plain and atomic memory accesses between calls (--memory makes them visible)");
    } else {
        explored.yes.push_back("the order of memory accesses, too: --memory " + level);
        explored.no.push_back("weaker orders of memory than sequential consistency");
    }
    return explored;
}

std::vector<std::string> explored_around(const fs::path& bug) {
    std::vector<std::string> lines;
    std::error_code error;
    const fs::path directory = fs::canonical(bug, error).parent_path().parent_path();
    if (error || !CampaignStore::is_in(directory)) return lines;
    try {
        const Explored explored = explored_by(CampaignStore(directory, CampaignStore::Open::read));
        lines = explored.yes;
        for (const std::string& line : explored.no) lines.push_back("not explored: " + line);
    } catch (const StoreError& error_of_store) {
        lines.push_back("not known: " + std::string(error_of_store.what()));
    }
    return lines;
}

}  // namespace raddle::cli
