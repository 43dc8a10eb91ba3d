// The result of a campaign: bugs, coverage, and the reasons for its end and for incompleteness.
#pragma once

#include <exception>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "supervisor/search/strategy.h"

namespace raddle {

// The prefix of reasons for incompleteness that report a program that is no function of its schedule.
inline constexpr std::string_view nondeterminism = "nondeterminism: ";

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
    bool waits_long = false;                    // in some execution, see Execution
    std::uint64_t replaced = 0;                 // workers replaced
    std::uint64_t executed = 0;                 // executions of the search in this run, void ones too
    std::uint64_t checks = 0;                   // schedules that were executed again for comparison
    std::uint64_t lost = 0;                     // executions under way at the end
    unsigned left_behind = 0;                   // workers that still run: end the process by _Exit
    double seconds = 0;
    double cpu_seconds = 0;  // of raddle, and of all targets that have ended with the children they waited for
    std::exception_ptr failure;

    // Empty if and only if `complete`.
    std::vector<std::string> incomplete_because() const;
    // Executions of the search a second, in this run.
    double executions_per_second() const { return seconds > 0 ? static_cast<double>(executed) / seconds : 0; }
};

// "7 graphs, 7 executions and 2 void ones".
std::string counts_of(const Coverage& coverage);

// For CampaignResult::leaves_output_open.
inline constexpr const char* output_order_not_explored =
    "the order in which threads write output was not explored; --output-order does that, as do --outcomes and --fail-on";

// True if the search proves that no schedule with fewer preemptions shows the bug of this finding.
bool proves_fewest_preemptions(const CampaignResult& result, const Finding& finding);

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

}  // namespace raddle
