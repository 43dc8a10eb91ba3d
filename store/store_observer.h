// Saves a running campaign: executions form batches, committed every half second and at the end. After a crash the
// store is at most one batch behind.
//
// A batch is closed only between two calls, because the search reports the findings of an execution after the
// execution, and both must be committed together. A growing search hands over its growth in one call, and the next call
// commits it. For other searches the executions are journalled, and the whole state is written now and then.
#pragma once

#include <chrono>
#include <exception>
#include <map>
#include <set>
#include <string>
#include <utility>

#include "store/campaign_store.h"
#include "store/execution_journal.h"
#include "supervisor/campaign/observer.h"

namespace raddle {

struct StoreRhythm {
    std::chrono::milliseconds between_batches{500};
    // The whole state is written after this much execution time, but within its cost limit. The position of a growing
    // search is written with every batch within the limit.
    std::chrono::milliseconds between_states{5000};
    std::uint64_t most_in_journal = 20000;
    double least_ratio = 25;  // minimal ratio of the time between two states to the time that writing one takes
    std::chrono::steady_clock::time_point (*now)() = &std::chrono::steady_clock::now;
};

class StoreObserver final : public Observer {
public:
    StoreObserver(CampaignStore& store, std::string strategy, StrategyOptions options, unsigned workers,
                  StoreRhythm rhythm = {});

    void executed(const Plan& plan, const Execution& execution, Strategy& strategy) override;
    void finding(const Finding& finding) override;
    void bound_complete(std::uint32_t bound, const Coverage& coverage) override;
    void tick(const CampaignProgress& progress) override;
    void ended(const CampaignResult& result, Strategy* strategy) override;

    // The reason why saving stopped; null if all is well.
    std::exception_ptr failure() const { return failure_; }

private:
    using Clock = std::chrono::steady_clock;

    void count(const Plan& plan, const Execution& execution);
    void note_cut(const Execution& execution, Verdict kind, const std::string& why);
    bool is_batch_due() const;
    bool is_state_due() const;
    bool is_walked_due() const;
    bool is_taken() const { return pieces_ || (grows_ && state_); }
    void take_state(const Strategy& strategy);
    void take_changes(Strategy& strategy, bool with_walked);
    void commit();
    std::uint64_t milliseconds_so_far() const;

    CampaignStore& store_;
    const std::string strategy_;
    const StrategyOptions options_;
    const unsigned workers_;
    const StoreRhythm rhythm_;

    JournalWriter journal_;
    StoredProgress progress_;
    std::uint64_t executions_in_all_ = 0;  // up to the one reported last
    std::map<BugKey, Bug> bugs_;
    std::map<BugKey, Bug> cuts_;        // since the last commit
    std::set<BugKey> changed_bugs_;     // since the last commit
    std::optional<std::string> state_;  // waits for the next batch
    std::optional<Pieces> pieces_;      // waits for the next batch
    std::optional<Coverage> taken_;     // coverage when the growth was taken
    bool grows_ = false;
    std::uint64_t untaken_ = 0;     // executions since then
    std::uint64_t journalled_ = 0;  // executions since the last state
    std::uint64_t milliseconds_before_ = 0;
    std::uint64_t last_history_ = 0;
    bool dirty_ = false;
    bool is_urgent_ = false;
    std::exception_ptr failure_;
    Clock::time_point begin_, last_batch_, last_state_, last_execution_;
    Clock::duration cost_of_state_{};
};

}  // namespace raddle
