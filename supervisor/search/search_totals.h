// What every strategy counts in the same way: executions, distinct graphs, bugs, and why something is not known.
#pragma once

#include <map>
#include <string>
#include <unordered_set>
#include <utility>
#include <vector>

#include "supervisor/search/strategy.h"
#include "supervisor/trace/replay_machine.h"

namespace raddle {

// The execution begins with the plan's prefix, as it should.
bool follows(const Plan& plan, const Execution& execution);

class SearchTotals {
public:
    explicit SearchTotals(const StrategyOptions& options) : options_(options) {}

    // An execution came back; `replay` went through all of it, or up to a mismatch.
    // Returns whether it is all that its plan stands for; if not, why is noted.
    bool record(const Plan& plan, const Execution& execution, const ReplayMachine& replay);
    // Something is left out, for good.
    void note_incomplete(const std::string& reason) { ++incomplete_[reason]; }
    bool incomplete() const { return !incomplete_.empty(); }

    // Fills in what is counted here.
    void report(Coverage& coverage) const;
    std::vector<Finding> take_findings() { return std::exchange(findings_, {}); }

    void save(Writer& out) const;
    void load(Reader& in);

private:
    void count_graph(const Execution& execution, Hash128 graph);

    const StrategyOptions& options_;
    std::uint64_t executions_ = 0;
    std::uint64_t abandoned_ = 0;
    std::uint64_t uncounted_ = 0;  // finished when memory for their graphs had ended
    std::unordered_set<Hash128, HashOfHash> graphs_;
    std::vector<Finding> findings_;
    std::map<std::string, std::uint64_t> incomplete_;  // reason, how often
};

// As part of a saved state.
using Graphs = std::unordered_set<Hash128, HashOfHash>;
void save_graphs(Writer& out, const Graphs& graphs);
Graphs load_graphs(Reader& in, const char* what);
void save_schedule(Writer& out, const Schedule& schedule);
Schedule load_schedule(Reader& in);

}  // namespace raddle
