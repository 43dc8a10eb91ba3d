#include "store/merge.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "store/resume.h"

namespace raddle {

namespace {

void expect_same(const CampaignStore& store, const CampaignStore& other) {
    const std::string different = difference(store.identity(), other.identity());
    if (!different.empty())
        throw StoreError(store.directory().string() + " and " + other.directory().string() +
                         " are about different things and cannot be merged: from the first to the second, " +
                         different);
}

// The number of common executions is known, but not which ones they are. Subtract them from those that ended well: the
// others lead to bugs, and counting a bug twice is better than losing it.
std::map<Verdict, std::uint64_t> endings_of(const Resumed& one, const Resumed& other, std::uint64_t in_both) {
    std::map<Verdict, std::uint64_t> endings = one.progress.endings;
    for (const auto& [verdict, times] : other.progress.endings) {
        const std::uint64_t twice = std::min({in_both, times, endings[verdict]});
        endings[verdict] += times - twice;
        in_both -= twice;
    }
    return endings;
}

std::vector<Bug> bugs_of(const CampaignStore& store, const CampaignStore& other, bool nothing_in_both) {
    const std::vector<Bug> known = store.bugs();
    std::vector<Bug> changed;
    for (const Bug& bug : other.bugs()) {
        Found& both = changed.emplace_back(bug).found;
        const Bug* same = find_bug(known, key_of(bug.found));
        if (same == nullptr) continue;
        if (!is_simpler(bug.found, same->found)) both = same->found;
        both.first_seen = same->found.first_seen;
        both.times =
            nothing_in_both ? same->found.times + bug.found.times : std::max(same->found.times, bug.found.times);
    }
    return changed;
}

std::vector<Bug> cuts_of(const CampaignStore& store, const CampaignStore& other) {
    std::vector<Bug> fresh = other.cuts();
    for (const Bug& known : store.cuts())
        std::erase_if(fresh, [&](const Bug& cut) {
            return cut.found.verdict == known.found.verdict && cut.found.message == known.found.message;
        });
    return fresh;
}

}  // namespace

Merged merge(CampaignStore& store, const CampaignStore& other, const std::string& strategy,
             const StrategyOptions& options, const StrategyOptions& options_of_other) {
    expect_same(store, other);
    Resumed one = recall(store, strategy, options), two = recall(other, strategy, options_of_other);
    Merged merged;
    merged.before = one.strategy->coverage().executions;
    merged.other = two.strategy->coverage().executions;
    merged.joined = one.strategy->merge(*two.strategy);
    const bool other_is_further = !merged.joined && merged.other > merged.before;
    const Strategy& result = other_is_further ? *two.strategy : *one.strategy;
    merged.now = result.coverage().executions;
    const std::uint64_t in_both = merged.before + merged.other - merged.now;

    Batch batch;
    batch.state = save_strategy(strategy, other_is_further ? options_of_other : options, result);
    batch.progress.coverage = result.coverage();
    batch.progress.milliseconds = one.progress.milliseconds + two.progress.milliseconds;
    batch.progress.endings = endings_of(one, two, in_both);
    batch.progress.leaves_output_open = one.progress.leaves_output_open || two.progress.leaves_output_open;
    batch.progress.waits_long = one.progress.waits_long || two.progress.waits_long;
    batch.bugs = bugs_of(store, other, in_both == 0);
    batch.cuts = cuts_of(store, other);
    store.commit(batch);
    OutputCollector outputs(std::numeric_limits<std::size_t>::max());
    outputs.add(store.outputs());
    outputs.add(other.outputs(), in_both > 0);
    store.note_outputs(outputs.outputs());
    for (const StoredJudging& one_rule : other.judging()) store.add_judged(one_rule.rules, one_rule.executions);
    return merged;
}

}  // namespace raddle
