#include "supervisor/engine/kept/explored.h"

#include "supervisor/base/text.h"
#include "supervisor/campaign/campaign.h"

namespace raddle {

namespace fs = std::filesystem;

namespace {

// The reason for unexplored schedules; empty if unknown.
std::string why_not(const KeptResult& kept) {
    if (kept.has_what_was_asked()) return "not asked for";
    if (kept.is_running) return "the search is under way";
    if (!kept.last_run) return "";
    if (kept.last_run->ended.empty()) return "something ended the search from outside; the same command goes on";
    switch (kept.result.end) {
        case CampaignEnd::finished: return "this way of searching ends before it has seen all";
        case CampaignEnd::first_bug: return "the search stopped at the first bug; --keep-going goes on";
        case CampaignEnd::executions: return "the budget of executions ended";
        case CampaignEnd::time: return "the budget of time ended";
        case CampaignEnd::interrupted: return "the search was interrupted";
        case CampaignEnd::failed: return "the target failed again and again: " + text_of(kept.result.failure);
    }
    return "";
}

// Doubts about all results, however much was explored.
std::vector<std::string> doubts_of(const CampaignResult& result) {
    CampaignResult doubtful;
    doubtful.complete = true;
    doubtful.coverage = result.coverage;
    doubtful.cuts = result.cuts;
    doubtful.disagreements = result.disagreements;
    doubtful.unstable = result.unstable;
    return doubtful.incomplete_because();
}

}  // namespace

Explored explored_by(const CampaignStore& store) {
    return explored_in(kept_result(store), store.identity().value_of("--memory"), store.identity().value_of("--focus"));
}

Explored explored_in(const KeptResult& kept, const std::string& memory, const std::string& focus) {
    Explored explored;
    const Coverage& coverage = kept.result.coverage;
    const std::string why = why_not(kept).empty() ? "" : " (" + why_not(kept) + ")";
    const std::string every = focus.empty() ? "every schedule" : "every schedule of the focus '" + focus + "'";
    if (coverage.exhausted) {
        explored.yes.push_back(every + " (" + counts_of(coverage) + ")");
    } else if (coverage.complete_to) {
        const std::string bound = counted(*coverage.complete_to, "preemption");
        explored.yes.push_back(every + " with at most " + bound + " (" + counts_of(coverage) + ")");
        explored.no.push_back(
            "schedules with more than " + bound +
            (coverage.bound > *coverage.complete_to ? ", except some with " + std::to_string(coverage.bound) : "") +
            why);
    } else {
        explored.yes.push_back(counts_of(coverage) + "; no bound on preemptions is complete");
        explored.no.push_back("all other schedules, as many as there are" + why);
    }
    if (!focus.empty())
        explored.no.push_back("schedules with switches outside of the focus '" + focus +
                              "', but for those that have to be");
    if (coverage.abandoned > 0)
        explored.yes.push_back(counted(coverage.abandoned, "execution") + " given up as equivalent to known ones");
    for (const std::string& doubt : doubts_of(kept.result)) explored.no.push_back(doubt);
    for (const Bug& cut : kept.result.cuts) {
        if (!cut.found.standing) continue;
        explored.no.push_back("beyond \"" + cut.found.message + "\"; its threads stood there:");
        for (const std::string& line : lines_of(*cut.found.standing)) explored.no.push_back("  " + line);
    }
    if (memory.empty() || memory == "sync") {  // campaigns of older versions had none
        const std::string because = kept.last_run ? kept.last_run->level_because : "";
        explored.no.push_back("the order of plain and atomic memory accesses between calls (" +
                              (because.empty() ? "--memory makes them visible" : because) + ")");
    } else {
        explored.yes.push_back("the order of memory accesses, too: --memory " + memory);
        explored.no.push_back("weaker orders of memory than sequential consistency");
    }
    if (!kept.assumed.empty()) explored.yes.push_back(kept.assumed);
    if (const std::string outputs = summary_of(kept.outputs); !outputs.empty()) {
        explored.yes.push_back(outputs + " (no bugs):");
        for (const std::string& line : lines_of(kept.outputs, false)) explored.yes.push_back("  " + line);
    }
    if (kept.result.leaves_output_open) explored.no.push_back(output_order_not_explored);
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

}  // namespace raddle
