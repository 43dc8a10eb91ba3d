// Proves, minimises, explains and writes each finding before it is reported. It has a thread and a target of its own,
// and works while the campaign goes on.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <exception>
#include <filesystem>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

#include "replay/explain/explanation.h"
#include "replay/schedule/bug_directory.h"
#include "replay/schedule/minimize.h"
#include "replay/schedule/proof.h"
#include "supervisor/campaign/campaign.h"
#include "supervisor/engine/program/symbolizer.h"
#include "supervisor/engine/program/target_pool.h"

namespace raddle {

class BugRecorder final : public Observer {
public:
    // `directory` holds the bugs; empty: they are not written.
    BugRecorder(const Settings& settings, const ProcessOptions& process, const StrategyOptions& search,
                std::filesystem::path directory, std::stop_token interrupted);
    ~BugRecorder() override;
    BugRecorder(const BugRecorder&) = delete;
    BugRecorder& operator=(const BugRecorder&) = delete;

    void finding(const Finding& finding) override;
    void executed(const Plan& plan, const Execution& execution, Strategy& strategy) override;
    void bound_complete(std::uint32_t bound, const Coverage& coverage) override;

    // Patience matters to the program (program/patience.h). Executions tell, but those of earlier runs do not come
    // here.
    void note_long_waits() { waits_long_ = true; }

    // Waits until all bugs of the result are proven and minimised, and fills in their parts. Unstable bugs are apart.
    void finish(CampaignResult& result);

    // The reason if some were not recorded; empty if all is well.
    std::string failure() const;
    std::uint64_t executions() const { return executions_; }  // for proofs and minimising

private:
    struct Wanted {
        Finding finding;
        bool fewest_known = false;
        bool waits_long = false;
    };

    void work(const std::stop_token& stop);
    void look_into(const Wanted& wanted);
    Bug examined(const Wanted& wanted, unsigned number);
    // Returns the execution with the simplest schedule.
    Execution minimise(Bug& bug, Target& judged, const Proof& proof, bool fewest_known);
    // Nothing if the bug does not show with stacks taken.
    std::optional<Explained> explanation_of(const Bug& bug) const;
    void write(Bug& bug, const Execution& found, const Execution& minimal);
    ScheduleFile file_of(const Execution& execution, const Finding& finding, bool fewest);
    std::string report_of(const Bug& bug, const ScheduleFile& minimal) const;
    std::string page_of(const Bug& bug, const BugFiles& files) const;
    unsigned next_number() const;
    void wait_until_idle(std::unique_lock<std::mutex>& lock);
    std::uint64_t epoch() const;  // of the visible set
    void hurry();

    const Settings settings_;
    const ProcessOptions process_;
    TargetPool pool_;
    const StrategyOptions search_;
    const std::filesystem::path directory_;
    const std::stop_token interrupted_;
    const bool minimizes_;
    std::chrono::milliseconds left_for_minimizing_;

    // Only the thread uses these:
    std::optional<Subject> subject_;
    std::optional<Symbolizer> names_;
    std::unique_ptr<Target> target_;

    std::atomic<bool> hurried_{false};
    std::atomic<std::uint64_t> executions_{0};

    mutable std::mutex lock_;
    std::condition_variable_any changed_;
    std::deque<Wanted> wanted_;
    bool busy_ = false;
    bool finishing_ = false;      // the search finds nothing again
    Coverage explored_;           // when a bound was last complete
    bool was_disturbed_ = false;  // by an external event
    bool waits_long_ = false;     // in some execution so far
    std::vector<Bug> bugs_;
    std::exception_ptr failure_;
    std::jthread thread_;
};

}  // namespace raddle
