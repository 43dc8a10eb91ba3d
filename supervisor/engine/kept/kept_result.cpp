#include "supervisor/engine/kept/kept_result.h"

#include <algorithm>
#include <stdexcept>

#include "replay/schedule/bug_directory.h"
#include "store/directory_lock.h"
#include "supervisor/engine/kept/judging.h"
#include "supervisor/engine/program/patience.h"

namespace raddle {

namespace {

void note_end(KeptResult& kept) {
    if (!kept.last_run || kept.has_what_was_asked()) return;
    if (const std::optional<CampaignEnd> end = end_named(kept.last_run->ended)) kept.result.end = *end;
    if (!kept.last_run->failure.empty())
        kept.result.failure = std::make_exception_ptr(std::runtime_error(kept.last_run->failure));
}

}  // namespace

void sort_into(CampaignResult& result, const std::vector<Bug>& findings) {
    result.bugs.clear();
    result.disagreements.clear();
    for (const Bug& one : findings) (is_bug(one.found.verdict) ? result.bugs : result.disagreements).push_back(one);
    sort_by_preemptions(result.bugs);
    sort_by_preemptions(result.disagreements);
}

bool KeptResult::has_what_was_asked() const {
    const Coverage& coverage = result.coverage;
    const bool has_bound =
        last_run && last_run->bound && coverage.complete_to && *coverage.complete_to >= *last_run->bound;
    return coverage.exhausted || has_bound;
}

std::vector<Bug> bugs_as_written(const CampaignStore& store) {
    std::vector<Bug> bugs = store.bugs();
    const std::vector<Bug> written = bugs_in(store.directory() / "bugs");
    add_files(bugs, written);
    add_written_divergences(bugs, written);
    return bugs;
}

std::string assumed_about_waits(const CampaignStore& store, const StoredProgress& progress) {
    const Identity identity = store.identity();
    const std::uint64_t patience = read_count(identity.value_of("--patience")).value_or(MachineOptions::unlimited);
    return assumed_about_waits(patience, identity.value_of("--strategy"), progress.waits_long);
}

KeptResult kept_result(const CampaignStore& store) {
    KeptResult kept;
    CampaignResult& result = kept.result;
    store.read_together([&] {
        const StoredProgress progress = store.progress();
        result.coverage = progress.coverage;
        result.verdicts = progress.endings;
        result.leaves_output_open = progress.leaves_output_open;
        result.waits_long = progress.waits_long;
        kept.assumed = assumed_about_waits(store, progress);
        result.seconds = static_cast<double>(progress.milliseconds) / 1000;
        sort_into(result, store.bugs());
        result.cuts = store.cuts();
        kept.last_run = store.last_run();
        kept.outputs = store.outputs();
    });
    kept.is_running = !holder_of(store.directory()).empty();
    const auto stable = std::stable_partition(result.bugs.begin(), result.bugs.end(),
                                              [](const Bug& bug) { return !bug.is_unstable(); });
    result.unstable.assign(stable, result.bugs.end());
    result.bugs.erase(stable, result.bugs.end());
    note_end(kept);
    const std::vector<std::string> otherwise = judged_otherwise(store);
    result.coverage.incomplete_because.insert(result.coverage.incomplete_because.end(), otherwise.begin(),
                                              otherwise.end());
    result.complete = kept.has_what_was_asked() && result.coverage.incomplete_because.empty() &&
                      result.disagreements.empty() && result.cuts.empty() && result.unstable.empty();
    return kept;
}

}  // namespace raddle
