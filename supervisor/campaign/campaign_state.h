// The inside of a campaign: the state that its workers share. worker.cpp runs plans on targets, record.cpp keeps what
// the executions showed, campaign.cpp starts the workers, reports progress and ends.
#pragma once

#include <atomic>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <stop_token>
#include <thread>

#include "supervisor/campaign/campaign_options.h"
#include "supervisor/campaign/campaign_result.h"
#include "supervisor/campaign/finding_groups.h"
#include "supervisor/campaign/observer.h"
#include "supervisor/campaign/recent_rate.h"
#include "supervisor/campaign/remaining_estimate.h"
#include "supervisor/campaign/repetition.h"

namespace raddle {

inline constexpr std::chrono::milliseconds time_between_ticks{50};

// The state shared by the workers and the thread of run(). It has two locks. The search may compute for long under
// search_lock_; ticks and signals need record_lock_ meanwhile. A thread that takes both takes search_lock_ first.
class CampaignState {
public:
    CampaignState(TargetFactory make_target, std::unique_ptr<Strategy> strategy, const CampaignOptions& options)
        : options_(options),
          make_target_(std::move(make_target)),
          strategy_(std::move(strategy)),
          bugs_(options.most_findings),
          suppressed_(options.most_findings),
          disagreements_(options.most_findings),
          cuts_(options.most_findings),
          remaining_estimate_(options.estimate) {}

    void run_worker(unsigned worker);
    CampaignResult run(const std::shared_ptr<CampaignState>& self, const std::vector<Observer*>& observers,
                       const std::stop_token& stop);

private:
    // worker.cpp
    std::unique_lock<std::mutex> lock_search();
    std::optional<Plan> next_plan(std::unique_lock<std::mutex>& lock);
    std::optional<Execution> run_target(std::unique_ptr<Target>& target, const Plan& plan);
    void check_repeatable(std::unique_ptr<Target>& target, const Plan& plan, const Execution& execution);
    std::vector<Finding> races_in(std::unique_ptr<Target>& target, const Plan& plan, const Execution& execution);
    void give_back(const Plan& plan);
    bool note_failure_of(const Plan& plan);
    template <typename Call>
    void run_unplanned(std::unique_ptr<Target>& target, Call&& call);
    // record.cpp
    void learn(const Plan& plan, const Execution& execution, const std::vector<Finding>& races);
    void record(const Plan& plan, const Execution& execution, const std::vector<Finding>& findings);
    void record_composed();
    FindingGroups& groups_of(const Finding& finding);
    void add(FindingGroups& groups, const Finding& finding, std::uint64_t before = 0);
    void note_disturbance(const Execution& execution);
    void update_coverage();
    void end_with(CampaignEnd end, std::exception_ptr failure = {});
    void end_with_locked(CampaignEnd end, std::exception_ptr failure = {});

    // campaign.cpp
    std::vector<std::thread> start_workers(const std::shared_ptr<CampaignState>& self);
    void wait_for_workers(std::unique_lock<std::mutex>& lock, const std::stop_token& stop);
    void update_remaining_estimate(std::unique_lock<std::mutex>& lock);
    CampaignResult result();
    template <typename Call>
    void notify(Call&& call) {
        for (Observer* observer : observers_) call(*observer);
    }

    const CampaignOptions options_;
    const TargetFactory make_target_;

    // Under search_lock_:
    std::mutex search_lock_;
    std::condition_variable learned_;
    std::unique_ptr<Strategy> strategy_;
    std::uint64_t handed_out_ = 0;
    std::vector<Finding> found_early_;          // of executions that are recorded with the next one
    std::map<std::string, unsigned> failures_;  // of each plan, by its text
    unsigned failures_in_a_row_ = 0;

    std::atomic<std::uint64_t> in_flight_{0};
    std::atomic<bool> ending_{false};

    // Under record_lock_, like all calls to observers:
    std::mutex record_lock_;
    std::condition_variable worker_left_;
    std::vector<Observer*> observers_;
    std::uint64_t last_epoch_ = 0;
    bool closed_ = false;  // the result is final: nothing may change any more
    unsigned running_ = 0;
    Coverage coverage_;       // the strategy's last report
    bool found_bug_ = false;  // a bug that ends the campaign, unless it keeps going
    FindingGroups bugs_, suppressed_, disagreements_, cuts_;
    // Something outside the program came at a moment of its own: it explains differences between executions.
    bool was_disturbed_ = false;
    std::map<Verdict, std::uint64_t> verdicts_;
    bool leaves_output_open_ = false;
    bool waits_long_ = false;
    std::uint64_t replaced_ = 0;
    RepetitionRhythm rhythm_;
    std::uint64_t checks_ = 0;
    CampaignEnd end_ = CampaignEnd::finished;
    std::exception_ptr failure_;
    std::chrono::steady_clock::time_point begin_;
    std::uint64_t before_ = 0;  // executions of earlier runs of this campaign

    RecentRate rate_;
    RemainingEstimate remaining_estimate_;  // it has its own lock; the thread of run() computes it
};

}  // namespace raddle
