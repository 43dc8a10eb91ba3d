// A campaign and its bugs as plain data: the source of all report formats. The engine makes it; tests write it by hand.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "replay/explain/explanation.h"
#include "supervisor/search/bug.h"
#include "supervisor/search/strategy.h"

namespace raddle {

struct CampaignReport {
    std::string tool;     // "raddle 0.1.0"
    std::string made_at;  // "2026-01-31T12:00:00", UTC
    std::string host;
    std::string program;      // its command line
    std::string name;         // of the program
    std::string source_root;  // the directory that paths of sources are relative to, where they lie in it
    std::string directory;    // of the campaign; empty: the report covers single bugs
    std::string verdict;      // "ok", "bug", "incomplete", "diverged", "uncontrollable"
    std::string headline;     // the same as a sentence
    Coverage coverage;
    std::optional<std::uint32_t> bound_asked;  // none: every schedule
    bool complete = false;                     // everything requested was explored
    double seconds = 0;
    std::string memory;                     // the level of --memory
    std::string focus;                      // of --focus: everything that is said holds for it; empty: none
    std::vector<std::string> explored;      // lines for people
    std::vector<std::string> not_explored;  // lines for people: gaps
    std::vector<Bug> bugs;                  // fewest preemptions first
    std::vector<Bug> unstable;              // bugs that some replays did not show
    std::vector<Bug> diverged;              // divergences: a repeated schedule went another way
};

// The bug in one sentence.
const std::string& sentence_of(const Bug& bug);
// The bugs of a campaign in one sentence: the bug, or how many there are of each kind.
std::string sentence_of(const std::vector<Bug>& bugs);
// "its schedule showed it in 1 of 3 replays: step 4 is another: …"; empty for a stable bug.
std::string doubt_of(const Bug& bug);

// The frame that represents the bug: the failing one, otherwise that of the last step that matters. Null if unknown.
const Frame* telling_frame(const Explanation& explanation);

}  // namespace raddle
