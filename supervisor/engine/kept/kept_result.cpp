#include "supervisor/engine/kept/kept_result.h"

#include <algorithm>
#include <stdexcept>

#include "replay/schedule/bug_directory.h"
#include "store/directory_lock.h"
#include "supervisor/engine/kept/judging.h"

namespace raddle {

namespace {

bool is_unstable(const StoredProof* proof) { return proof != nullptr && proof->reproduced < proof->runs; }

void note_end(KeptResult& kept) {
    if (!kept.last_run || kept.has_what_was_asked()) return;
    if (const std::optional<CampaignEnd> end = end_named(kept.last_run->ended)) kept.result.end = *end;
    if (!kept.last_run->failure.empty())
        kept.result.failure = std::make_exception_ptr(std::runtime_error(kept.last_run->failure));
}

}  // namespace

std::vector<FindingGroup> groups_of(const std::vector<StoredBug>& bugs, bool real) {
    std::vector<FindingGroup> groups;
    for (const StoredBug& bug : bugs)
        if (is_bug(bug.finding.verdict) == real) groups.push_back({bug.finding, bug.times});
    std::stable_sort(groups.begin(), groups.end(), [](const FindingGroup& a, const FindingGroup& b) {
        return a.first.preemptions < b.first.preemptions;
    });
    return groups;
}

bool KeptResult::has_what_was_asked() const {
    const Coverage& coverage = result.coverage;
    const bool has_bound =
        last_run && last_run->bound && coverage.complete_to && *coverage.complete_to >= *last_run->bound;
    return coverage.exhausted || has_bound;
}

const StoredProof* KeptResult::proof_of(const Finding& finding) const {
    const auto found = std::find_if(proofs.begin(), proofs.end(), [&](const StoredProof& proof) {
        return proof.verdict == finding.verdict && proof.key == finding.key;
    });
    return found == proofs.end() ? nullptr : &*found;
}

std::vector<StoredBug> bugs_as_written(const CampaignStore& store) {
    std::vector<StoredBug> bugs = store.bugs();
    const std::vector<KnownBug> written = bugs_in(store.directory() / "bugs");
    for (StoredBug& bug : bugs)
        if (const KnownBug* known = find_bug(written, bug.finding)) {
            bug.finding.preemptions = known->minimal.preemptions;
            bug.finding.schedule = known->minimal.schedule();
            bug.finding.message = known->minimal.message;
        }
    return bugs;
}

KeptResult kept_result(const CampaignStore& store) {
    KeptResult kept;
    CampaignResult& result = kept.result;
    store.read_together([&] {
        const StoredProgress progress = store.progress();
        result.coverage = progress.coverage;
        result.verdicts = progress.endings;
        result.seconds = static_cast<double>(progress.milliseconds) / 1000;
        const std::vector<StoredBug> bugs = store.bugs();
        result.bugs = groups_of(bugs, true);
        result.disagreements = groups_of(bugs, false);
        for (const StoredCut& cut : store.cuts()) result.cuts.push_back({cut.first, cut.times});
        kept.proofs = store.proofs();
        kept.last_run = store.last_run();
    });
    kept.is_running = !holder_of(store.directory()).empty();
    const auto stable = std::stable_partition(result.bugs.begin(), result.bugs.end(), [&](const FindingGroup& bug) {
        return !is_unstable(kept.proof_of(bug.first));
    });
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
