// A campaign and its bugs as plain data: the source of all report formats. The engine makes it; tests write it by hand.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "replay/explain/explanation.h"
#include "supervisor/search/strategy.h"

namespace raddle {

struct ReportedBug {
    std::string name;  // "0001-deadlock"
    Verdict verdict = Verdict::ok;
    std::uint32_t preemptions = 0;
    bool fewest_proven = false;  // proven: no schedule with fewer preemptions shows it
    std::string message;
    std::string key;                    // the bug key, see supervisor/trace/bug_key.h
    std::string key_in_functions;       // the key with functions, which holds for other builds too; empty: as it is
    std::uint64_t times = 0;            // executions that showed it; 0: not counted
    unsigned runs = 0, reproduced = 0;  // of its proof; 0 runs: it was not replayed
    std::string divergence;             // the first difference of a replay that did not show it
    Schedule schedule;
    std::string directory;  // of its files; empty: none
    std::string again;      // the command line that shows it again
    std::optional<Explanation> explanation;
    std::string unexplained;     // why the explanation is missing
    std::string output, errors;  // of the program

    bool is_unstable() const { return reproduced < runs; }
    // "its schedule showed it in 1 of 3 replays: step 4 is another: …"; empty for a stable bug.
    std::string doubt() const;
    // The bug in one sentence.
    const std::string& sentence() const { return explanation ? explanation->sentence : message; }
};

struct CampaignReport {
    std::string tool;     // "raddle 0.1.0"
    std::string made_at;  // "2026-01-31T12:00:00", UTC
    std::string host;
    std::string program;    // its command line
    std::string name;       // of the program
    std::string directory;  // of the campaign; empty: the report covers single bugs
    std::string verdict;    // "ok", "bug", "incomplete", "diverged", "uncontrollable"
    std::string headline;   // the same as a sentence
    Coverage coverage;
    std::optional<std::uint32_t> bound_asked;  // none: every schedule
    bool complete = false;                     // everything requested was explored
    double seconds = 0;
    std::string memory;                     // the level of --memory
    std::vector<std::string> explored;      // lines for people
    std::vector<std::string> not_explored;  // lines for people: gaps
    std::vector<ReportedBug> bugs;          // fewest preemptions first
    std::vector<ReportedBug> unstable;      // bugs that some replays did not show
    std::vector<ReportedBug> diverged;      // divergences: a repeated schedule went another way
};

// The frame that represents the bug: the failing one, otherwise that of the last step that matters. Null if unknown.
const Frame* telling_frame(const Explanation& explanation);

}  // namespace raddle
