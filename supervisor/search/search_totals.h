// The totals that strategies count in the same way: executions, distinct graphs, bugs, and reasons for incompleteness.
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "supervisor/search/saved_parts.h"
#include "supervisor/search/strategy.h"
#include "supervisor/trace/replay_machine.h"

namespace raddle {

// True if the execution begins with the plan's prefix, or may leave out steps of it.
bool follows(const Plan& plan, const Execution& execution);

class SearchTotals {
public:
    explicit SearchTotals(const StrategyOptions& options) : options_(options) {}

    // Counts an execution. `replay` has fed all of it, or stopped at a mismatch. Returns true if the plan is done; if
    // not, it notes the reason.
    bool record(const Plan& plan, const Execution& execution, const ReplayMachine& replay);
    // The search leaves something out for good.
    void note_incomplete(const std::string& reason) { ++incomplete_[reason]; }
    bool incomplete() const { return !incomplete_.empty(); }

    // Fills in the totals.
    void report(Coverage& coverage) const;
    std::vector<Finding> take_findings() { return std::exchange(findings_, {}); }

    void save(Writer& out) const;
    void load(Reader& in);

private:
    void count_graph(const Execution& execution, Hash128 graph);

    const StrategyOptions& options_;
    std::uint64_t executions_ = 0;
    std::uint64_t abandoned_ = 0;
    std::uint64_t uncounted_ = 0;  // finished executions after the memory for graphs ended
    Graphs graphs_;
    std::vector<Finding> findings_;
    std::map<std::string, std::uint64_t> incomplete_;  // reason, number of times
};

}  // namespace raddle
