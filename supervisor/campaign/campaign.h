// A campaign runs many executions: it combines targets, a strategy and a budget. Each worker is a thread with its own
// target; all workers share the strategy.
//
//     Campaign campaign(make_target, make_strategy("bounded", {}), {.jobs = 2});
//     const CampaignResult result = campaign.run({&progress}, stop_token);
//     return exit_code_of(verdict_of(result));
//
// A campaign claims nothing that it did not see: incomplete_because() names all that was cut short, lost or given up.
#pragma once

#include <chrono>
#include <exception>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "supervisor/campaign/observer.h"
#include "supervisor/campaign/race_watch.h"
#include "supervisor/search/target.h"

namespace raddle {

// Called in the thread of the worker that uses and destroys the target.
using TargetFactory = std::function<std::unique_ptr<Target>()>;

struct CampaignOptions {
    unsigned jobs = 1;
    std::optional<std::uint64_t> max_executions{};
    std::optional<std::chrono::milliseconds> max_time{};
    bool keep_going = false;  // after the first bug
    // The campaign is complete once this bound is complete; without one, once the search is exhausted.
    std::optional<std::uint32_t> bound{};
    bool one_execution = false;  // the strategy runs one schedule only
    bool keep_to_cores = false;  // bind each worker to one processor
    bool repeat = true;          // execute some schedules again and compare (repetition.h)
    // The time for executions under way when the campaign ends; later their workers are left behind.
    std::chrono::milliseconds patience{500};
    std::size_t most_findings = 1000;  // the number of different findings that are kept
    // Set if observers want an estimate of the remaining executions.
    struct EstimateOptions {
        SearchUnit unit;
        MachineOptions machine;
    };
    std::optional<EstimateOptions> estimate{};
    // Set if data races are reported, too. They are bugs, but do not end the campaign.
    std::shared_ptr<RaceWatch> races{};
    // True for known bugs: they are counted and listed, without further effect.
    std::function<bool(const Finding&)> is_suppressed{};
};

// Stored on disk: never rename.
#define RADDLE_CAMPAIGN_ENDS(row)                                            \
    row(finished)                      /* the strategy wants nothing more */ \
        row(first_bug) row(executions) /* the budget of executions ended */  \
        row(time)                      /* the budget of time ended */        \
        row(interrupted) row(failed)   /* the target cannot run, or raddle failed: `failure` */

enum class CampaignEnd {
#define RADDLE_ROW(name) name,
    RADDLE_CAMPAIGN_ENDS(RADDLE_ROW)
#undef RADDLE_ROW
};
const char* name_of(CampaignEnd end);
// Nothing for an unknown name.
std::optional<CampaignEnd> end_named(const std::string& name);

struct CampaignResult {
    Coverage coverage;
    CampaignEnd end = CampaignEnd::finished;
    bool complete = false;      // the whole request was explored
    std::vector<Bug> bugs;      // fewest preemptions first
    std::vector<Bug> unstable;  // bugs that did not show again under their schedules
    std::vector<Bug> suppressed;
    std::vector<Bug> disagreements;             // the program did not repeat its behaviour
    std::vector<Bug> cuts;                      // executions that were cut short: uncontrolled, too many steps
    std::uint64_t dropped = 0;                  // findings that were not kept, as there were too many different ones
    std::map<Verdict, std::uint64_t> verdicts;  // the number of executions with each verdict
    bool leaves_output_open = false;            // in some execution, see Execution
    std::uint64_t replaced = 0;                 // workers replaced
    std::uint64_t checks = 0;                   // schedules that were executed again for comparison
    std::uint64_t lost = 0;                     // executions under way at the end
    unsigned left_behind = 0;                   // workers that still run: end the process by _Exit
    double seconds = 0;
    double cpu_seconds = 0;  // of raddle and of all targets that have ended
    std::exception_ptr failure;

    // Empty if and only if `complete`.
    std::vector<std::string> incomplete_because() const;
};

// True if the search proves that no schedule with fewer preemptions shows the bug of this finding.
bool proves_fewest_preemptions(const CampaignResult& result, const Finding& finding);

// For CampaignResult::leaves_output_open.
inline constexpr const char* output_order_not_explored =
    "the order in which threads write output was not explored; --output-order does that, as do --outcomes and --fail-on";

// Stable: scripts read the names from JSON and use the exit codes.
#define RADDLE_CAMPAIGN_VERDICTS(row)                                                      \
    row(ok, 0)                 /* the whole request was explored, no bug */                \
        row(bug, 1)            /* a bug, complete or not */                                \
        row(incomplete, 3)     /* no bug so far */                                         \
        row(diverged, 4)       /* no bug, but the program does not repeat its behaviour */ \
        row(uncontrollable, 5) /* not one execution was under control */

enum class CampaignVerdict {
#define RADDLE_ROW(name, code) name,
    RADDLE_CAMPAIGN_VERDICTS(RADDLE_ROW)
#undef RADDLE_ROW
};
CampaignVerdict verdict_of(const CampaignResult& result);
const char* name_of(CampaignVerdict verdict);
// For campaigns that were neither interrupted nor failed.
int exit_code_of(CampaignVerdict verdict);
// The failure's message, one line.
std::string text_of(const std::exception_ptr& failure);

class Campaign {
public:
    Campaign(TargetFactory make_target, std::unique_ptr<Strategy> strategy, const CampaignOptions& options);
    ~Campaign();
    Campaign(const Campaign&) = delete;
    Campaign& operator=(const Campaign&) = delete;

    // Call it once. A failure of a target, the strategy or an observer is part of the result.
    CampaignResult run(const std::vector<Observer*>& observers, const std::stop_token& stop = {});

private:
    class Shared;
    std::shared_ptr<Shared> shared_;  // workers left behind hold it, too
};

}  // namespace raddle
