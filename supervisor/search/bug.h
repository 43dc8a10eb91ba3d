// A bug, and everything raddle learned about it: one type for the search, the campaign, the store and the reports. Its
// parts are filled in as they become known.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "supervisor/trace/execution.h"

namespace raddle {

struct Explanation;  // replay/explain/explanation.h: a bug only carries it

// An execution that shows a bug, as the search saw it.
struct Finding {
    Verdict verdict = Verdict::ok;
    std::uint32_t preemptions = 0;  // of its schedule
    Schedule schedule;
    std::string message;
    std::string key{};         // identifies the bug (trace/bug_key.h); the campaign fills it in, if the search did not
    std::uint64_t epoch = 0;   // the visible set's epoch (restarting_search.h); the campaign fills it in; 0: unknown
    std::string found_by{};    // the part of the search that wanted the execution; empty: the search has no parts
    bool is_composed = false;  // a simpler schedule for the graph of a finding before: no execution of its own
    Schedule repeated{};       // of a divergence: all of the schedule that went two ways; empty: unknown
    std::shared_ptr<const Standing> standing{};  // Execution::standing
};

// A simpler finding of a bug replaces the one before, except for the part that found the bug.
inline void replace_by_simpler(Finding& known, const Finding& simpler) {
    const std::string found_by = known.found_by;
    known = simpler;
    known.found_by = found_by;
}

// Findings with equal keys are one bug.
using BugKey = std::pair<Verdict, std::string>;
inline BugKey key_of(const Finding& finding) { return {finding.verdict, finding.key}; }

// True if all schedules of one graph show this kind of bug, or none does. A race shows only where its two accesses are
// back to back, and output has an order that no graph holds.
inline bool is_property_of_graph(Verdict bug) { return bug != Verdict::race && bug != Verdict::output; }

// The order of simplicity among the findings of one bug.
inline bool is_simpler(const Finding& one, const Finding& other) {
    return std::pair(one.preemptions, one.schedule.size()) < std::pair(other.preemptions, other.schedule.size());
}

// The simplest finding of the search, and the number of executions that showed the bug.
struct Found : Finding {
    std::uint64_t times = 0;
    std::uint64_t first_seen = 0;  // executions before it
};

// The result of replaying its schedule.
struct Proven {
    unsigned runs = 0;
    unsigned reproduced = 0;
    std::string divergence{};  // the first difference of a replay that did not show it
};

// The simplest schedule that was proven to show it.
struct Minimised : Finding {
    bool fewest = false;  // proven: no schedule with fewer preemptions shows it
};

struct Explained {
    std::shared_ptr<const Explanation> explanation{};  // null: see why_not
    std::string why_not{};
    std::string brief{};             // the waiting threads or the failing line, and the decisive switch
    std::string key_in_functions{};  // the bug key with functions, which holds for other builds too
    std::string advice{};            // on a divergence: the setting that helped, or those that did not
};

// Its directory (replay/schedule/bug_directory.h), or the reason why it has none.
struct Filed {
    unsigned number = 0;
    std::string directory{};  // empty: none
    std::string not_written{};
    std::string token{};
    std::string schedule{};          // the text of its schedule file
    std::string output{}, errors{};  // of the program
};

struct Bug {
    Found found;
    std::optional<Proven> proven{};  // none: it was not replayed
    std::optional<Minimised> minimised{};
    std::optional<Explained> explained{};
    std::optional<Filed> filed{};

    const Finding& simplest() const { return minimised ? static_cast<const Finding&>(*minimised) : found; }
    bool has_fewest_preemptions() const { return minimised && minimised->fewest; }
    const Explanation* explanation() const { return explained ? explained->explanation.get() : nullptr; }
    // Some replay did not show it.
    bool is_unstable() const { return proven && proven->reproduced < proven->runs; }
};

// The bug with this key; null if there is none.
template <typename Bugs>
auto find_bug(Bugs& bugs, const BugKey& key) -> decltype(&*bugs.begin()) {
    const auto bug = std::find_if(bugs.begin(), bugs.end(), [&](const Bug& one) { return key_of(one.found) == key; });
    return bug == bugs.end() ? nullptr : &*bug;
}

// Keeps the order of bugs with equally many preemptions.
inline void sort_by_preemptions(std::vector<Bug>& bugs) {
    std::stable_sort(bugs.begin(), bugs.end(),
                     [](const Bug& a, const Bug& b) { return a.simplest().preemptions < b.simplest().preemptions; });
}

}  // namespace raddle
