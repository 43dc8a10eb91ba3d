// How much of a search remains. Random descents through the program, as far as it is known or can be guessed (Knuth,
// "Estimating the efficiency of backtrack programs", 1975): who ends where the search would end with probability p stands
// for 1/p such ends. Graphs are reached by many descents; the p of a graph is that of all descents that lead to it, found
// by walking them (exactly where they are few, by descents within the graph where they are many). Nothing is run for
// it, and nothing is claimed on its word.
//
//     estimator.learn(execution);             // now and then
//     estimator.draw(coverage.bound, 2000);   // so many steps in memory
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
    // Spends about so many steps on descents. With another bound than before it starts afresh.
    void draw(std::uint32_t bound, std::uint64_t steps);

    // Executions still to come, at this bound or else in all; nothing where there is too little to go by. `has_seen` says
    // whether a graph was seen, if the search can tell.
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
        Hash128 graph;  // or schedule, where these are counted
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
    double loud_ = 0;  // events of a descent that were not quiet, on the average

    // The graph whose probability is asked for: by thread, the pasts and values of its events.
    struct Goal {
        std::uint32_t value;
        Hash128 past;
    };
    std::vector<std::vector<Goal>> goal_;
    Position goal_size_ = 0;
    std::uint64_t steps_left_ = 0;  // for finding it exactly
    std::unordered_map<Hash128, double, HashOfHash> beyond_;
};

}  // namespace raddle
