// A run that is kept: its directory, what it is about, and what was known of it before.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "store/campaign_store.h"
#include "store/store_observer.h"
#include "supervisor/campaign/campaign.h"
#include "supervisor/engine/notices.h"
#include "supervisor/engine/settings/settings.h"
#include "supervisor/process/process_target.h"

namespace raddle {

bool is_to_be_kept(const Settings& settings);

// The conditions under which the campaign began that the settings go on with.
struct KeptConditions {
    std::string level;                                    // the meaning of --memory; empty: there is no campaign
    std::optional<std::vector<std::string>> environment;  // before --env; none: no campaign, or one that did not record it
};
KeptConditions kept_conditions(const Settings& settings, const std::string& strategy);

// The environment that the campaign recorded in whose directory this bug lies; none if there is none.
std::optional<std::vector<std::string>> environment_around(const std::filesystem::path& bug);

class KeptCampaign {
public:
    // Begins it or goes on with it, as --resume says. Throws StoreError.
    KeptCampaign(const Settings& settings, const ProcessOptions& process, const std::string& strategy,
                 const StrategyOptions& options, unsigned jobs, Notices say);

    std::unique_ptr<Strategy> take_strategy() { return std::move(strategy_); }
    Observer& observer() { return *observer_; }
    std::uint64_t executions_before() const { return executions_before_; }
    bool has_bug() const;  // that the search stops at

    // Of the program before it changed.
    std::vector<OldBug> old_bugs() const { return store_->old_bugs(); }
    void forget(const OldBug& bug) { store_->forget(bug); }
    // Before the campaign runs: a bug that was found otherwise is a bug of it, too.
    void keep(const Finding& finding);

    // The bugs that are to be judged anew because the rules changed since the last run; none if they did not.
    std::vector<Finding> bugs_to_judge() const;
    // By the present rules it is no bug.
    void forget(const Finding& bug);
    // The bugs are judged by the present rules.
    void note_rules();

    // It began with this run, and nothing came of it.
    bool is_fresh() const { return is_fresh_; }
    // Nothing else may be called after this.
    void leave_no_trace();

    // Puts what all runs found in the place of what this one found.
    void complete(CampaignResult& result) const;
    // Why the run ended, and what replays of its bugs came to. Only where it ended by itself.
    void note_end(const CampaignResult& result, const std::vector<StoredProof>& proofs);
    // As the campaign was left: nothing runs.
    CampaignResult as_it_stands() const;
    std::exception_ptr failure() const { return observer_->failure(); }
    const std::filesystem::path& directory() const { return store_->directory(); }

private:
    void rebase(const Identity& identity, const std::filesystem::path& written_bugs);

    const Notices say_;
    std::unique_ptr<CampaignStore> store_;
    std::unique_ptr<Strategy> strategy_;
    std::function<std::unique_ptr<StoreObserver>()> observe_;
    std::unique_ptr<StoreObserver> observer_;
    bool is_fresh_ = false;
    std::filesystem::path latest_before_;  // what was the newest before
    std::uint64_t executions_before_ = 0;
    std::optional<std::uint32_t> asked_;  // the bound
    std::string rules_;                   // of judging
};

}  // namespace raddle
