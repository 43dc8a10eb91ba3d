// A campaign and its bugs as plain data: all that reports are written from, whatever their format. Made by the command
// line, or by hand in tests.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "replay/explain/explanation.h"
#include "supervisor/search/strategy.h"

namespace raddle {

struct ReportedBug {
    std::string name;                 // "0001-deadlock"
    Verdict verdict = Verdict::ok;
    std::uint32_t preemptions = 0;
    bool fewest_proven = false;       // no schedule with fewer preemptions shows it
    std::string message;
    std::string place;                // see supervisor/trace/bug_key.h
    std::string place_in_functions;   // which other builds have, too; empty: as it is
    std::uint64_t times = 0;          // executions that showed it; 0: not counted
    unsigned runs = 0, reproduced = 0;  // of its proof; no runs: it was not replayed
    std::string divergence;           // of a replay that did not show it
    Schedule schedule;
    std::string directory;            // what is kept of it; empty: nothing
    std::string again;                // the command line that shows it again
    std::optional<Explanation> explanation;
    std::string unexplained;          // why there is none
    std::string output, errors;       // what the program wrote

    bool is_unstable() const { return reproduced < runs; }
    // "its schedule showed it in 1 of 3 replays: step 4 is another: …"; empty if it is not unstable.
    std::string doubt() const;
    // In one sentence.
    const std::string& sentence() const { return explanation ? explanation->sentence : message; }
};

struct CampaignReport {
    std::string tool;                 // "raddle 0.1.0"
    std::string made_at;              // "2026-01-31T12:00:00", UTC
    std::string host;
    std::string program;              // its command line
    std::string name;                 // of the program
    std::string directory;            // of the campaign; empty: it is about bugs alone
    std::string verdict;              // "ok", "bug", "incomplete", "diverged", "uncontrollable"
    std::string headline;             // the same as a sentence
    Coverage coverage;
    std::optional<std::uint32_t> bound_asked;  // none: every schedule
    bool complete = false;            // everything asked for was explored
    double seconds = 0;
    std::string memory;               // --memory
    std::vector<std::string> explored;      // lines for people
    std::vector<std::string> not_explored;  // and what was not
    std::vector<ReportedBug> bugs;    // fewest preemptions first
    std::vector<ReportedBug> unstable;  // bugs that replays did not show again every time
    std::vector<ReportedBug> diverged;  // where the program did not do again what it did before
};

// Where a bug is to be pointed at: where it went wrong, else the last step that matters. Null if no place is known.
const Frame* telling_frame(const Explanation& explanation);

}  // namespace raddle
