// A strategy decides which execution comes next. It hands out plans, learns from their executions, and knows neither
// processes nor stores. Several plans may be out at once and come back in any order.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "supervisor/base/bytes.h"
#include "supervisor/base/hash.h"
#include "supervisor/model/machine.h"
#include "supervisor/search/bug.h"
#include "supervisor/search/incremental_state.h"
#include "supervisor/search/target.h"
#include "supervisor/trace/execution.h"

namespace raddle {

// The search's knowledge so far. It claims nothing without proof.
inline constexpr const char* sweeping_text =
    "the memory is used up (--memory-limit): what is left is gone through in no order of preemptions";

struct Coverage {
    std::uint64_t executions = 0;              // the search learned from them
    std::uint64_t graphs = 0;                  // distinct graphs of finished executions
    std::uint64_t abandoned = 0;               // executions given up as equivalent to known ones
    std::uint64_t void_executions = 0;         // they count no more, because the visible set grew
    std::uint64_t in_flight = 0;               // plans that are out
    std::uint64_t frontier = 0;                // plans that are needed but not handed out yet
    std::uint64_t postponed = 0;               // executions cut at their first limit of steps, to be run again
    std::uint64_t predictions = 0;             // executions that were to show a predicted bug
    std::uint64_t came_true = 0;               // those of them that showed one
    std::uint32_t bound = 0;                   // the one being explored, for strategies with a bound
    std::optional<std::uint32_t> complete_to;  // every graph with at most this many preemptions was seen
    bool exhausted = false;                    // every graph was seen
    bool is_sweeping = false;                  // the memory is used up: graphs are gone through in no order of bounds
    std::uint64_t epoch = 0;                   // of the visible set (restarting_search.h); 0: it cannot grow
    std::vector<std::string> incomplete_because;

    // It never falls; `executions` does when the visible set grows.
    std::uint64_t executions_in_all() const { return executions + void_executions; }
};

// True if the search saw every schedule with fewer preemptions than these, and would have found such a bug in it.
bool proves_fewest_preemptions(const Coverage& coverage, Verdict bug, std::uint32_t preemptions);

// The number of executions still to come, with an error band that should hold it nine times in ten.
struct Estimate {
    double low = 0;
    double likely = 0;
    double high = 0;
};

struct StrategyOptions {
    std::optional<std::uint32_t> max_bound;  // stop after completing this bound; none: go on until exhausted
    std::uint64_t seed = 1;                  // sampling
    std::uint64_t samples = 1000;            // sampling: the number of executions to draw
    std::uint32_t depth = 3;                 // pct
    std::uint64_t max_steps = 400000;        // of one execution
    std::uint64_t first_max_steps = 10000;   // the first limit; it rises up to that one (rising_steps.h)
    std::size_t memory_limit = std::size_t{4}
                               << 30;  // for the search's tables; beyond it, it forgets or stops claiming
    MachineOptions machine;
    // Run the graphs that are composed of known pasts, too: the caller judges more than the model knows.
    bool execute_all = false;
    // The actions of executions, if this set can grow; null otherwise.
    std::shared_ptr<VisibleSet> visible_set;
    // Called once for each distinct finished graph, with a schedule that leads to it. For tests and reports.
    std::function<void(const Schedule&)> on_graph;
};

class Strategy {
public:
    virtual ~Strategy() = default;

    // The next execution wanted. Nothing: the search is finished(), or plans that are out have to come back first.
    virtual std::optional<Plan> next() = 0;
    virtual void learn(const Plan& plan, const Execution& execution) = 0;
    // The plan will not come back, because its worker died: the strategy wants it again.
    virtual void give_back(const Plan& plan) = 0;
    virtual bool finished() const = 0;

    virtual Coverage coverage() const = 0;
    // True if the search saw this finished graph; nothing if the strategy does not remember graphs.
    virtual std::optional<bool> has_seen(const Hash128& graph) const {
        (void)graph;
        return std::nullopt;
    }
    // Returns the bugs found since the last call.
    virtual std::vector<Finding> take_findings() = 0;

    // By the present rules of judging the bug is none.
    virtual void forget_bug(const Finding& bug) { (void)bug; }

    // The whole state. It may be saved between any two calls of learn(); a loaded search wants the plans that were out.
    virtual void save(Writer& out) const = 0;
    virtual void load(Reader& in) = 0;
    // True if the state can be saved incrementally. incremental_state() may still be null while the search is outdated.
    virtual bool has_incremental_state() const { return false; }
    virtual IncrementalState* incremental_state() { return nullptr; }
    // The visible set grew: returns a search that goes on with everything that still holds, in place of this one. Null
    // if nothing does. No plan may come back any more.
    virtual std::unique_ptr<Strategy> outgrown(const Growth& growth) {
        (void)growth;
        return nullptr;
    }
    // Merges the knowledge of another search with the same name and options, as if this one had learned from its
    // executions. Executions of both count once. No plan may be out. False if the strategy cannot merge.
    virtual bool merge(const Strategy& other) {
        (void)other;
        return false;
    }
};

// The thing that a strategy executes once each until it is exhausted.
enum class SearchUnit : std::uint8_t {
    graphs_by_bound,  // graphs with few preemptions first
    graphs,
    schedules_by_bound,
    schedules,
    samples,  // as many as StrategyOptions::samples
};

// Options that only some strategies take, as bits.
namespace takes {
inline constexpr unsigned none = 0, patience = 1, values = 2, depth = 4, seed = 8, focus = 16;
}

// A row of strategies.def.
struct StrategyRow {
    const char* name;
    SearchUnit unit;
    unsigned options;
    const char* text;
    std::unique_ptr<Strategy> (*make)(const StrategyOptions&);

    bool is_bounded() const { return unit == SearchUnit::graphs_by_bound || unit == SearchUnit::schedules_by_bound; }
    bool is_sampler() const { return unit == SearchUnit::samples; }
    bool takes_patience() const { return (options & takes::patience) != 0; }
    bool takes_focus() const { return (options & takes::focus) != 0; }
    bool takes_values() const { return (options & takes::values) != 0; }
    bool takes_depth() const { return (options & takes::depth) != 0; }
    bool takes_seed() const { return is_sampler() || (options & takes::seed) != 0; }
};
const std::vector<StrategyRow>& strategy_rows();
// Throws BadInput that lists the known names.
std::unique_ptr<Strategy> make_strategy(const std::string& name, const StrategyOptions& options);

// The bytes begin with a header: format, version, strategy, and the options that change the meaning. Loading refuses
// bytes of another strategy or with other options.
std::string save_strategy(const std::string& name, const StrategyOptions& options, const Strategy& strategy);
std::unique_ptr<Strategy> load_strategy(const std::string& name, const StrategyOptions& options,
                                        const std::string& bytes);

}  // namespace raddle
