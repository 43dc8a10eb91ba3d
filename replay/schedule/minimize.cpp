#include "replay/schedule/minimize.h"

#include <algorithm>
#include <unordered_set>

#include "supervisor/trace/bug_key.h"

namespace raddle {

namespace {

using Clock = std::chrono::steady_clock;

// Consecutive steps of one thread.
using Block = Schedule;

std::vector<Block> blocks_of(const Schedule& schedule) {
    std::vector<Block> blocks;
    for (const Step& step : schedule) {
        if (blocks.empty() || !(blocks.back().back().thread == step.thread)) blocks.emplace_back();
        blocks.back().push_back(step);
    }
    return blocks;
}

Schedule joined(const std::vector<Block>& blocks) {
    Schedule schedule;
    for (const Block& block : blocks) schedule.insert(schedule.end(), block.begin(), block.end());
    return schedule;
}

class Minimizer {
public:
    Minimizer(Target& target, const Execution& shows_it, const MinimizeOptions& options)
        : target_(target),
          options_(options),
          machine_(options.search.machine),
          verdict_(shows_it.verdict),
          key_(bug_key_of(shows_it)),
          end_(Clock::now() + options.max_time) {
        best_.execution = shows_it;
        best_.cost = cost_of(shows_it, machine_);
        best_.fewest = options.fewest_known || best_.cost.preemptions == 0;
    }

    MinimizeResult run() {
        if (!best_.fewest) search_for_fewer();
        while (!is_over() && improve()) {}
        return std::move(best_);
    }

private:
    bool is_over() const {
        return best_.executions >= options_.max_executions || Clock::now() >= end_ || options_.give_up();
    }
    bool is_it(const Execution& execution) const {
        return execution.verdict == verdict_ && bug_key_of(execution) == key_;
    }

    // Searches all schedules with fewer preemptions, fewest first, with half of the budget. A bug that is no property
    // of a graph needs every single schedule.
    void search_for_fewer() {
        const std::uint64_t most = options_.max_executions / 2;
        const auto until = Clock::now() + options_.max_time / 2;
        StrategyOptions options = options_.search;
        options.max_bound = best_.cost.preemptions - 1;
        options.on_graph = {};
        const bool by_graphs = is_property_of_graph(verdict_);
        const std::unique_ptr<Strategy> search = make_strategy(by_graphs ? "bounded" : "cb-dfs", options);
        while (best_.executions < most && Clock::now() < until && !options_.give_up()) {
            const std::optional<Plan> plan = search->next();
            if (!plan) break;
            Execution execution = target_.run(*plan);
            ++best_.executions;
            search->learn(*plan, execution);
            // Nothing follows from a search that something outside the program disturbed.
            if (!execution.external_event.empty()) return;
            if (!execution.is_void && is_it(execution)) take(std::move(execution));
            if (is_fewest(search->coverage())) break;
        }
        best_.fewest = is_fewest(search->coverage()) && (best_.cost.preemptions == 0 || !machine_.has_focus);
    }

    // The search is over all schedules with fewer preemptions than the bug had, or has seen all with fewer than the
    // best.
    bool is_fewest(const Coverage& coverage) const {
        return best_.cost.preemptions == 0 ||
               (coverage.complete_to && *coverage.complete_to + 1 >= best_.cost.preemptions &&
                coverage.incomplete_because.empty());
    }

    bool take(Execution execution) {
        const Cost cost = cost_of(execution, machine_);
        if (cost >= best_.cost) return false;
        if (cost.preemptions < best_.cost.preemptions) best_.fewest = cost.preemptions == 0;
        best_.execution = std::move(execution);
        best_.cost = cost;
        return true;
    }

    bool is_better(const Schedule& prefix) {
        if (is_over() || !tried_.insert(text_of(prefix)).second) return false;
        Plan plan;
        plan.prefix = prefix;
        plan.max_steps = options_.search.max_steps;
        Execution execution = target_.run(plan);
        ++best_.executions;
        return is_it(execution) && take(std::move(execution));
    }

    // Returns whether it found something simpler.
    bool improve() {
        const std::vector<Block> blocks = blocks_of(best_.execution.schedule());
        for (std::size_t kept = 0; kept < blocks.size(); ++kept) {
            const std::vector<Block> first(blocks.begin(), blocks.begin() + static_cast<std::ptrdiff_t>(kept));
            if (is_better(joined(first))) return true;
        }
        for (std::size_t i = 0; i < blocks.size() && !is_over(); ++i) {
            const auto same = [&](const Block& block) { return block[0].thread == blocks[i][0].thread; };
            const auto next = std::find_if(blocks.begin() + static_cast<std::ptrdiff_t>(i) + 1, blocks.end(), same);
            if (next != blocks.end() &&
                (is_better(moved(blocks, next, i + 1)) || is_better(moved_behind(blocks, i, next))))
                return true;
        }
        return false;
    }

    using Place = std::vector<Block>::const_iterator;
    // Moves the block at `from` to the earlier position `to`.
    static Schedule moved(const std::vector<Block>& blocks, Place from, std::size_t to) {
        std::vector<Block> order = blocks;
        const auto begin = order.begin() + static_cast<std::ptrdiff_t>(to),
                   at = order.begin() + (from - blocks.begin());
        std::rotate(begin, at, at + 1);
        return joined(order);
    }
    // Moves the block numbered `from` to just before `to`.
    static Schedule moved_behind(const std::vector<Block>& blocks, std::size_t from, Place to) {
        std::vector<Block> order = blocks;
        const auto at = order.begin() + static_cast<std::ptrdiff_t>(from);
        std::rotate(at, at + 1, order.begin() + (to - blocks.begin()));
        return joined(order);
    }

    Target& target_;
    const MinimizeOptions& options_;
    const MachineOptions machine_;
    const Verdict verdict_;
    const std::string key_;
    const Clock::time_point end_;
    MinimizeResult best_;
    std::unordered_set<std::string> tried_;
};

}  // namespace

MinimizeResult minimize(Target& target, const Execution& shows_it, const MinimizeOptions& options) {
    return Minimizer(target, shows_it, options).run();
}

}  // namespace raddle
