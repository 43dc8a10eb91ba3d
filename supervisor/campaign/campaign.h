// Many executions: target × strategy × budget. Each worker is a thread that owns a target; the one strategy is shared.
//
//     Campaign campaign(make_target, make_strategy("bounded", {}), {.jobs = 2});
//     const CampaignResult result = campaign.run({&progress}, stop_token);
//     return exit_code_of(verdict_of(result));
//
// Nothing is claimed that was not seen: whatever was cut short, lost or given up is named in incomplete_because().
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

// Called in the thread of the worker that will use the target, and end it.
using TargetFactory = std::function<std::unique_ptr<Target>()>;

struct CampaignOptions {
    unsigned jobs = 1;
    std::optional<std::uint64_t> max_executions{};
    std::optional<std::chrono::milliseconds> max_time{};
    bool keep_going = false;  // after the first bug
    // What `finished` has to come with to count as everything: the bound, or else all there is.
    std::optional<std::uint32_t> bound{};
    bool one_execution = false;  // the strategy stands for one schedule, and no more is asked for
    bool keep_to_cores = false;  // each worker to one processor
    bool repeat = true;  // now and then, execute a known schedule again and compare
    // How long executions under way may take when the campaign is to end; then their workers are left behind.
    std::chrono::milliseconds patience{500};
    std::size_t most_findings = 1000;  // different ones that are kept
    // What is counted, and by which rules, if observers are to be told how much is still to come.
    struct EstimateOptions {
        SearchUnit unit;
        MachineOptions machine;
    };
    std::optional<EstimateOptions> estimate{};
    // Where data races are to be found too. They are bugs, but the search goes on.
    std::shared_ptr<RaceWatch> races{};
    // Bugs that are known: they are counted and named, and nothing else follows from them.
    std::function<bool(const Finding&)> is_suppressed{};
};

// Stored on disk: never rename.
#define RADDLE_CAMPAIGN_ENDS(row)                              \
    row(finished)   /* the strategy wants nothing more */      \
    row(first_bug)                                             \
    row(executions) /* the budget of executions ended */       \
    row(time)       /* the budget of time ended */             \
    row(interrupted)                                           \
    row(failed)     /* targets cannot be run (any more), or we broke: `failure` */

enum class CampaignEnd {
#define RADDLE_ROW(name) name,
    RADDLE_CAMPAIGN_ENDS(RADDLE_ROW)
#undef RADDLE_ROW
};
const char* name_of(CampaignEnd end);
// Nothing if there is no end of that name.
std::optional<CampaignEnd> end_named(const std::string& name);

// Executions that ended in the same way: same verdict, same place (trace/bug_key.h).
struct FindingGroup {
    Finding first;  // the one with the fewest preemptions, then steps; of these, the first that was seen
    std::uint64_t times = 0;
};

struct CampaignResult {
    Coverage coverage;
    CampaignEnd end = CampaignEnd::finished;
    bool complete = false;                      // everything asked for was explored
    std::vector<FindingGroup> bugs;             // fewest preemptions first
    std::vector<FindingGroup> unstable;         // bugs that their schedules did not show again
    std::vector<FindingGroup> suppressed;
    std::vector<FindingGroup> disagreements;    // the program did not do again what it did before
    std::vector<FindingGroup> cuts;             // executions not seen to their end: uncontrolled, too many steps
    std::uint64_t dropped = 0;                  // findings that were not kept, there being too many different ones
    std::map<Verdict, std::uint64_t> verdicts;  // how many executions ended so
    std::uint64_t replaced = 0;                 // workers replaced
    std::uint64_t checks = 0;                   // schedules executed again, to see whether they go the same way
    std::uint64_t lost = 0;                     // executions under way when it ended
    unsigned left_behind = 0;                   // workers that still run: leave by _Exit, not by return from main
    double seconds = 0;
    double cpu_seconds = 0;  // ours, and that of all targets that have ended
    std::exception_ptr failure;

    // Empty if and only if `complete`.
    std::vector<std::string> incomplete_because() const;
};

// Stable: names are read from JSON, exit codes by scripts.
#define RADDLE_CAMPAIGN_VERDICTS(row)                                                   \
    row(ok, 0)             /* everything asked for was explored, no bug */              \
    row(bug, 1)            /* whatever else is to be said */                            \
    row(incomplete, 3)     /* no bug so far */                                          \
    row(diverged, 4)       /* no bug, but the program does not do again what it did */  \
    row(uncontrollable, 5) /* not one execution was under control */

enum class CampaignVerdict {
#define RADDLE_ROW(name, code) name,
    RADDLE_CAMPAIGN_VERDICTS(RADDLE_ROW)
#undef RADDLE_ROW
};
CampaignVerdict verdict_of(const CampaignResult& result);
const char* name_of(CampaignVerdict verdict);
// Of a campaign that was neither interrupted nor broken by us.
int exit_code_of(CampaignVerdict verdict);
// One line.
std::string text_of(const std::exception_ptr& failure);

class Campaign {
public:
    Campaign(TargetFactory make_target, std::unique_ptr<Strategy> strategy, const CampaignOptions& options);
    ~Campaign();
    Campaign(const Campaign&) = delete;
    Campaign& operator=(const Campaign&) = delete;

    // Once. A failure of target, strategy or observer is part of the result.
    CampaignResult run(const std::vector<Observer*>& observers, const std::stop_token& stop = {});

private:
    class Shared;
    std::shared_ptr<Shared> shared_;  // workers left behind hold it too
};

}  // namespace raddle
