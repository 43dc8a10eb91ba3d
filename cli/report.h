// The result of a run, for people and for machines.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/bug_book.h"
#include "cli/old_bugs.h"
#include "cli/outcomes.h"
#include "supervisor/campaign/campaign.h"
#include "supervisor/process/instrumented_code.h"
#include "supervisor/process/process_target.h"
#include "supervisor/trace/execution.h"

namespace raddle::cli {

struct RunReport {
    CampaignResult result;
    CampaignVerdict verdict = CampaignVerdict::incomplete;
    int exit_code = 0;
    std::string strategy;
    std::uint64_t seed = 0;
    unsigned jobs = 1;
    std::optional<std::uint32_t> bound;  // asked for
    bool one_schedule = false;
    Schedule schedule;                        // that one
    std::vector<std::string> program;         // and its arguments
    std::vector<std::string> target_options;  // what a schedule has to be run again with
    std::string restart;                      // how the program was started again; empty if it never ran
    std::string threads;                      // and what its threads were
    const BugBook* book = nullptr;            // what became of the bugs; null: nothing was looked into
    Restarts restarts;                        // and what came of it
    std::shared_ptr<InstrumentedCode> code;   // if accesses to memory were looked at
    bool races_only_explored = false;         // without having been asked for
    std::string only_calls_because;           // if that was found to be so
    std::string patience;                     // as it was given
    std::shared_ptr<RaceWatch> races;         // if data races are reported
    bool verbose = false;
    std::string explanation;  // in brief, of the bug that one schedule shows
    std::optional<Outcomes> outcomes{};  // where asked for
    std::vector<TriedBug> old_bugs{};    // after --rebase
};

// One sentence: what is known now.
std::string headline(const RunReport& report);
std::string report_for_people(const RunReport& report);
// One object, on one line. `schema` changes when a key changes its meaning or goes away; keys may be added.
std::string report_for_machines(const RunReport& report);

}  // namespace raddle::cli
