// Estimates the remaining executions of a search.
//
// Idea: Knuth, "Estimating the efficiency of backtrack programs", 1975. A random descent that reaches an end with
// probability p stands for 1/p ends. The descents walk through the program in memory; the predictor supplies unknown
// actions. Many descents lead to one graph, so the p of a graph is the sum over these descents. It is computed exactly
// if they are few, and by descents within the graph otherwise. Rules: no target runs for an estimate, and no search
// claims anything because of it. Risk: a bad prediction biases the estimate; the error band includes a share for this.
//
//     estimator.learn(execution);             // now and then
//     estimator.draw(coverage.bound, 2000);   // the number of steps in memory
//     estimator.remaining(coverage, has_seen);
#pragma once

#include <deque>
#include <functional>
#include <optional>
#include <random>
#include <unordered_map>

#include "supervisor/search/estimate/predictor.h"
#include "supervisor/search/strategy.h"

namespace raddle {

class Estimator {
public:
    Estimator(SearchUnit unit, MachineOptions options);

    void learn(const Execution& execution) { predictor_.learn(execution); }
    // Spends about `steps` steps on descents. Another bound than before forgets all descents.
    void draw(std::uint32_t bound, std::uint64_t steps);

    // The remaining executions: at this bound, or in all for searches without one. Nothing if there are too few
    // descents. `has_seen` says if a graph was seen, for searches that remember graphs.
    using HasSeen = std::function<std::optional<bool>(const Hash128&)>;
    std::optional<Estimate> remaining(const Coverage& coverage, const HasSeen& has_seen) const;

private:
    struct Way {
        ThreadSlot thread;
        std::uint32_t value;
        std::uint32_t cost;
        double probability;
    };
    using Ways = std::vector<Way>;
    struct Descent {
        Hash128 graph;  // the schedule's hash, if the unit is schedules
        double probability = 0;
        bool given_up = false;
    };

    void descend();
    void ways_from_here(std::uint32_t spent, Ways& ways) const;
    double probability_of_graph(Position end, double drawn);
    double probability_beyond(std::uint32_t spent);
    double sampled_probability();
    bool take_within_graph(const Way& way, std::uint32_t& spent, Ways& next);
    bool is_of_graph(const Way& way) const;
    void keep(const Descent& descent);
    bool is_bounded() const { return unit_ == SearchUnit::graphs_by_bound || unit_ == SearchUnit::schedules_by_bound; }
    bool of_schedules() const { return unit_ == SearchUnit::schedules || unit_ == SearchUnit::schedules_by_bound; }
    ThreadSlot without_choice() const;

    SearchUnit unit_;
    Predictor predictor_;
    PredictedPath path_;
    std::mt19937_64 random_{1};
    std::optional<std::uint32_t> bound_;
    std::uint64_t steps_ = 0;
    std::deque<Descent> descents_;
    double loud_ = 0;  // the number of events in a descent that are not quiet

    // The graph whose probability is computed: by thread, the values and pasts of its events.
    struct Goal {
        std::uint32_t value;
        Hash128 past;
    };
    std::vector<std::vector<Goal>> goal_;
    Position goal_size_ = 0;
    std::uint64_t steps_left_ = 0;  // for the exact computation
    std::unordered_map<Hash128, double, HashOfHash> beyond_;
};

}  // namespace raddle
