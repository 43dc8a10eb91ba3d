// The way on when the memory is used up: the optimal search (tree_search.h) goes through every graph, whatever its
// preemptions. It keeps only the way to what is left, so it runs for any time in the same memory.
//
// Idea: nothing is learned any more. The optimal search names each graph once. Where the experience tells how the
// program goes on, the sweep goes along in memory; it executes the others. So no graph is executed twice.
// Invariant: when the sweep is done, every graph was seen, unless the experience has reasons against it.
// Risk: the optimal search knows neither a focus nor values nor patience. The portfolio does not begin a sweep with the
// first two; a wait that is longer than the patience ends it, and nothing is claimed.
#pragma once

#include <map>
#include <optional>

#include "supervisor/model/tail.h"
#include "supervisor/search/experience.h"
#include "supervisor/search/tree/tree_search.h"

namespace raddle {

class Sweep {
public:
    Sweep(const StrategyOptions& options, Experience& experience);

    // The plan of an execution that is wanted, with this id; ids rise. Nothing: it waits for those that are out, or has
    // gone through `most_graphs` in memory, or is done.
    std::optional<Plan> next(std::uint64_t id, std::uint64_t most_graphs);
    // `is_new`: it shows a graph that is not part of the experience.
    void learn(std::uint64_t id, const Execution& execution, bool is_new);

    bool is_done() const { return met_long_wait_ || tree_.finished(); }
    // Distinct graphs that are not part of the experience.
    std::uint64_t graphs() const { return graphs_; }
    std::size_t frontier() const { return tree_.frontier(); }

    // Schedules that are out are wanted again by a loaded sweep.
    void save(Writer& out) const;
    void load(Reader& in);

private:
    enum class Led : std::uint8_t { to_execution, to_known_graph, to_new_graph };

    // An execution that is wanted, and how it went as soon as it is back.
    struct Wanted {
        TreePlan tree;
        std::optional<Execution> execution{};
        bool is_new = false;
    };

    Led go_along(const Plan& plan);
    void learn(const Wanted& wanted);
    void note_waits();

    const StrategyOptions& options_;
    Experience& experience_;
    Walk walk_;
    Follower follower_;
    Chooser chooser_;
    TreeSearch tree_;
    std::map<std::uint64_t, Wanted> wanted_;  // by id
    std::uint64_t graphs_ = 0;
    bool met_long_wait_ = false;
};

}  // namespace raddle
