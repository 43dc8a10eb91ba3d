// Drives a strategy over a target until the strategy is finished.
#pragma once

#include <algorithm>
#include <functional>
#include <random>
#include <vector>

#include "supervisor/base/error.h"
#include "supervisor/search/strategy.h"
#include "supervisor/search/target.h"

namespace raddle::testing {

struct ExploreOptions {
    std::uint64_t most_executions = 10'000'000;  // an error beyond that: the strategy does not end
    std::function<void(const Execution&)> on_execution{};
};

// next(); run(); learn(); until finished.
inline void explore(Strategy& strategy, Target& target, const ExploreOptions& options = {}) {
    std::uint64_t executions = 0;
    while (const std::optional<Plan> plan = strategy.next()) {
        if (++executions > options.most_executions) throw BrokenInvariant("the strategy does not come to an end");
        const Execution execution = target.run(*plan);
        if (options.on_execution) options.on_execution(execution);
        strategy.learn(*plan, execution);
    }
    if (!strategy.finished()) throw BrokenInvariant("the strategy wants nothing, and is not finished");
}

// The same with several plans running at a time; they return in another order, and sometimes not at all.
inline void explore_in_disorder(Strategy& strategy, Target& target, std::size_t workers, std::uint64_t seed,
                                const ExploreOptions& options = {}) {
    std::mt19937_64 random(seed);
    std::vector<Plan> out;
    std::uint64_t executions = 0;
    for (;;) {
        while (out.size() < workers) {
            std::optional<Plan> plan = strategy.next();
            if (!plan) break;
            out.push_back(std::move(*plan));
        }
        if (out.empty()) break;
        std::swap(out[random() % out.size()], out.back());
        const Plan plan = std::move(out.back());
        out.pop_back();
        if (random() % 16 == 0) {
            strategy.give_back(plan);
            continue;
        }
        if (++executions > options.most_executions) throw BrokenInvariant("the strategy does not come to an end");
        const Execution execution = target.run(plan);
        if (options.on_execution) options.on_execution(execution);
        strategy.learn(plan, execution);
    }
    if (!strategy.finished())
        throw BrokenInvariant("the strategy wants nothing, nothing is out, and it is not finished");
}

// The same, but sometimes saved and loaded, with or without plans running at that moment.
inline std::unique_ptr<Strategy> explore_with_restarts(const std::string& name, const StrategyOptions& how,
                                                       Target& target, std::size_t workers, std::uint64_t seed,
                                                       const ExploreOptions& options = {}) {
    std::mt19937_64 random(seed);
    std::unique_ptr<Strategy> strategy = make_strategy(name, how);
    std::vector<Plan> out;
    const auto restart = [&] {
        strategy = load_strategy(name, how, save_strategy(name, how, *strategy));
        out.clear();  // lost with the process; the strategy gives them out again
    };
    std::uint64_t executions = 0;
    for (;;) {
        if (random() % 4 == 0) restart();
        while (out.size() < workers) {
            std::optional<Plan> plan = strategy->next();
            if (!plan) break;
            out.push_back(std::move(*plan));
        }
        if (out.empty()) break;
        if (random() % 8 == 0) {
            restart();
            continue;
        }
        if (++executions > options.most_executions) throw BrokenInvariant("the strategy does not come to an end");
        std::swap(out[random() % out.size()], out.back());
        const Plan plan = std::move(out.back());
        out.pop_back();
        const Execution execution = target.run(plan);
        if (options.on_execution) options.on_execution(execution);
        strategy->learn(plan, execution);
    }
    restart();
    if (!strategy->finished()) throw BrokenInvariant("finished, saved and loaded, it is not finished any more");
    return strategy;
}

}  // namespace raddle::testing
