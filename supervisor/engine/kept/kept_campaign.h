// A kept run: its directory, its identity, and the knowledge of earlier runs.
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

// The conditions of the first run, for the campaign that the settings continue.
struct KeptConditions {
    std::string level;                                    // the meaning of --memory; empty: there is no campaign
    std::string level_because;                            // as raddle found it
    std::optional<std::vector<std::string>> environment;  // before --env; none: no campaign, or no record
    bool naps = false;
    std::optional<std::string> patience{};  // as the identity has it; none: there is no campaign
};
KeptConditions kept_conditions(const Settings& settings, const std::string& strategy);
// True if the settings leave the strategy open and name the directory of a campaign of the strategy bounded, which was
// once the default: the campaign goes on as it was.
bool goes_on_as_bounded(const Settings& settings, const std::string& strategy);

// The recorded environment of the campaign around this bug directory; none if there is none.
std::optional<std::vector<std::string>> environment_around(const std::filesystem::path& bug);

class KeptCampaign {
public:
    // Begins it or goes on with it, as --resume says. Throws StoreError.
    KeptCampaign(const Settings& settings, const ProcessOptions& process, const std::string& strategy,
                 const StrategyOptions& options, unsigned jobs, const std::string& level_because, Notices say);

    std::unique_ptr<Strategy> take_strategy() { return std::move(strategy_); }
    Observer& observer() { return *observer_; }
    bool has_bug() const;  // the search stops there
    bool waits_long() const { return store_->progress().waits_long; }

    // The bugs of the program before it changed.
    std::vector<Bug> old_bugs() const { return store_->old_bugs(); }
    void forget_old(const Bug& bug) { store_->forget_old(bug); }
    // Adds a bug before the campaign runs.
    void keep(const Finding& finding);

    // The bugs to judge anew because the rules changed since the last run; none if they did not.
    std::vector<Finding> bugs_to_judge() const;
    // The present rules make it no bug.
    void forget(const Finding& bug);
    // The bugs are judged by the present rules.
    void note_rules();

    // It began with this run.
    bool is_fresh() const { return is_fresh_; }
    // Nothing else may be called after this.
    void leave_no_trace();

    // Replaces the findings of this run by those of all runs.
    void complete(CampaignResult& result) const;
    // Stores the end of the run and the proofs of its bugs. Only for a run that ended by itself.
    void note_end(const CampaignResult& result, const std::optional<SeenOutputs>& outputs);
    SeenOutputs outputs() const { return store_->outputs(); }
    // Adds a reason why not everything is explored.
    void note_cut(const Bug& cut);
    // The result of the earlier runs. Nothing runs.
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
    std::optional<std::uint32_t> asked_;   // the bound
    std::string level_because_;
    std::string rules_;  // of judging
};

}  // namespace raddle
