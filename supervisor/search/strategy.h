// What decides which execution comes next. A strategy hands out plans, learns from what they gave, and knows neither
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
#include "supervisor/search/incremental_state.h"
#include "supervisor/search/target.h"
#include "supervisor/trace/execution.h"

namespace raddle {

// A bug as the search saw it; what the user is shown is made from it elsewhere.
struct Finding {
    Verdict verdict = Verdict::ok;
    std::uint32_t preemptions = 0;   // of the schedule it was found with
    Schedule schedule;
    std::string message;
    std::string key{};               // what tells it from other bugs (trace/bug_key.h); the campaign fills it in
    std::uint64_t epoch = 0;         // of the visible set that its schedule is made of (restarting_search.h), likewise; 0: unknown
};

// What is known so far. Nothing is claimed that is not proven.
struct Coverage {
    std::uint64_t executions = 0;              // learned from
    std::uint64_t graphs = 0;                  // distinct, among the finished ones
    std::uint64_t abandoned = 0;               // executions given up as equivalent to known ones
    std::uint64_t void_executions = 0;         // not learned from: more of the program became visible
    std::uint64_t in_flight = 0;               // plans that are out
    std::uint64_t frontier = 0;                // plans known to be needed that were not handed out
    std::uint32_t bound = 0;                   // being worked on, for strategies that have one
    std::optional<std::uint32_t> complete_to;  // every graph with at most this many preemptions was seen
    bool exhausted = false;                    // every graph was seen
    std::vector<std::string> incomplete_because;
};

// How many executions are still to come, with an error band: nine times in ten the number should lie in it.
struct Estimate {
    double low = 0;
    double likely = 0;
    double high = 0;
};

struct StrategyOptions {
    std::optional<std::uint32_t> max_bound;    // stop after this bound is complete; none: go on until exhausted
    std::uint64_t seed = 1;                    // sampling
    std::uint64_t samples = 1000;              // sampling: how many executions to draw
    std::uint32_t depth = 3;                   // pct
    std::uint64_t max_steps = 400000;          // of one execution
    std::size_t memory_limit = std::size_t{4} << 30;  // what the search may keep; beyond it, it forgets or stops claiming
    MachineOptions machine;
    // What executions consist of, if that can grow.
    std::shared_ptr<VisibleSet> visible_set;
    // Told of each distinct finished graph, once, with a schedule that leads to it. For tests and reports.
    std::function<void(const Schedule&)> on_graph;
};

class Strategy {
public:
    virtual ~Strategy() = default;

    // The next execution wanted. Nothing: either finished(), or what is out has to come back first.
    virtual std::optional<Plan> next() = 0;
    virtual void learn(const Plan& plan, const Execution& execution) = 0;
    // A plan that was handed out will not come back (its worker died): it is wanted again.
    virtual void give_back(const Plan& plan) = 0;
    virtual bool finished() const = 0;

    virtual Coverage coverage() const = 0;
    // Whether this finished graph is among those counted; nothing if the strategy keeps no account of them.
    virtual std::optional<bool> has_seen(const Hash128& graph) const {
        (void)graph;
        return std::nullopt;
    }
    // The bugs found since the last call.
    virtual std::vector<Finding> take_findings() = 0;

    // The whole state, to go on from at any point between two calls of learn(); plans that are out count as wanted.
    virtual void save(Writer& out) const = 0;
    virtual void load(Reader& in) = 0;
    // Whether growing() is there, except at moments when it would be no use.
    virtual bool has_incremental_state() const { return false; }
    virtual IncrementalState* incremental_state() { return nullptr; }
    // Takes over what another search of the same name and options knows, as if all of its executions had been told
    // here; one that both had counts once. Nothing may be out. False if it cannot.
    virtual bool join(const Strategy& other) {
        (void)other;
        return false;
    }
};

// What the executions of a strategy are one of each, if it comes to its end.
enum class SearchUnit : std::uint8_t {
    graphs_by_bound,     // with at most so many preemptions
    graphs,
    schedules_by_bound,
    schedules,
    samples,             // as many as were asked for
};

struct StrategyRow {
    const char* name;
    SearchUnit unit;
    const char* text;
    std::unique_ptr<Strategy> (*make)(const StrategyOptions&);
};
const std::vector<StrategyRow>& strategy_rows();
// Throws BadInput that names the known ones.
std::unique_ptr<Strategy> make_strategy(const std::string& name, const StrategyOptions& options);

// With a header: format, version, strategy, options that change the meaning. Loading refuses what does not fit.
std::string save_strategy(const std::string& name, const StrategyOptions& options, const Strategy& strategy);
std::unique_ptr<Strategy> load_strategy(const std::string& name, const StrategyOptions& options, const std::string& bytes);

}  // namespace raddle
