// The strategies dfs and cb-dfs: every schedule, or every schedule with at most so many preemptions, fewest first.
//
// Idea: stateless depth-first search (Godefroid, VeriSoft, POPL 1997), with iterative context bounding in cb-dfs
// (Musuvathi, Qadeer, PLDI 2007). There is no reduction: the other strategies are measured against this one.
// Rules:
//   * An execution follows its prefix and then lets each thread run on, which costs no preemption.
//   * After each event beyond the prefix, every alternative step becomes a new prefix.
// Invariant: an execution costs as many preemptions as its prefix, and no schedule runs twice. So prefixes sorted by
// cost explore the schedules by bound. Risk: the number of prefixes is exponential. At the memory limit the search
// drops prefixes and says so.
#include <algorithm>
#include <unordered_map>

#include "supervisor/search/prefix_tree.h"
#include "supervisor/search/search_totals.h"

namespace raddle {

namespace {

class ScheduleEnumeration final : public Strategy {
public:
    ScheduleEnumeration(const StrategyOptions& options, bool bounded)
        : options_(options), bounded_(bounded), totals_(options_), replay_(options.machine) {
        prefixes_.hold(PrefixTree::root);
        want(PrefixTree::root, 0);
    }

    std::optional<Plan> next() override;
    void learn(const Plan& plan, const Execution& execution) override;
    void give_back(const Plan& plan) override;
    bool finished() const override { return out_.empty() && lowest_wanted() == none; }
    Coverage coverage() const override;
    std::vector<Finding> take_findings() override { return totals_.take_findings(); }
    void save(Writer& out) const override;
    void load(Reader& in) override;

private:
    static constexpr std::uint32_t none = 0xffffffffu;
    struct Wanted {
        PrefixTree::Node prefix = PrefixTree::root;
        std::uint32_t cost = 0;
    };

    void want(PrefixTree::Node prefix, std::uint32_t cost);
    Wanted take_out(const Plan& plan);
    void branch_off(const Wanted& from, std::size_t length);
    bool within_limits(std::uint32_t cost) const {
        return !bounded_ || !options_.max_bound || cost <= *options_.max_bound;
    }
    std::uint32_t lowest_wanted() const;
    std::uint32_t lowest_unfinished() const;

    const StrategyOptions options_;
    const bool bounded_;
    SearchTotals totals_;
    ReplayMachine replay_;
    PrefixTree prefixes_;
    // By cost; dfs uses the first row only. Prefixes one beyond max_bound are kept, as a later run may raise the bound.
    std::vector<std::vector<PrefixTree::Node>> wanted_;
    std::unordered_map<std::uint64_t, Wanted> out_;  // by plan
    std::uint64_t plans_ = 0;
    std::uint32_t incomplete_from_ = none;  // the least cost of a cut execution or a dropped prefix
};

void ScheduleEnumeration::want(PrefixTree::Node prefix, std::uint32_t cost) {
    if (wanted_.size() <= cost) wanted_.resize(cost + 1);
    wanted_[cost].push_back(prefix);
}

std::uint32_t ScheduleEnumeration::lowest_wanted() const {
    for (std::uint32_t cost = 0; cost < wanted_.size() && within_limits(cost); ++cost)
        if (!wanted_[cost].empty()) return cost;
    return none;
}

std::uint32_t ScheduleEnumeration::lowest_unfinished() const {
    std::uint32_t lowest = lowest_wanted();
    for (const auto& [plan, wanted] : out_) lowest = std::min(lowest, wanted.cost);
    return lowest;
}

std::optional<Plan> ScheduleEnumeration::next() {
    const std::uint32_t cost = lowest_wanted();
    if (cost == none) return std::nullopt;
    const Wanted wanted{wanted_[cost].back(), cost};
    wanted_[cost].pop_back();
    Plan plan;
    plan.id = ++plans_;
    plan.prefix = prefixes_.schedule(wanted.prefix);
    plan.max_steps = options_.max_steps;
    out_.emplace(plan.id, wanted);
    return plan;
}

ScheduleEnumeration::Wanted ScheduleEnumeration::take_out(const Plan& plan) {
    const auto found = out_.find(plan.id);
    CHECK(found != out_.end());
    const Wanted wanted = found->second;
    out_.erase(found);
    return wanted;
}

void ScheduleEnumeration::give_back(const Plan& plan) {
    const Wanted wanted = take_out(plan);
    want(wanted.prefix, wanted.cost);
}

void ScheduleEnumeration::learn(const Plan& plan, const Execution& execution) {
    const Wanted wanted = take_out(plan);
    replay_.begin(execution);
    if (follows(plan, execution)) branch_off(wanted, plan.prefix.size());
    replay_.feed_all();
    if (!totals_.record(plan, execution, replay_)) incomplete_from_ = std::min(incomplete_from_, wanted.cost);
    prefixes_.release(wanted.prefix);
}

// Adds every alternative step after the first `length` events, which are the prefix `from`.
void ScheduleEnumeration::branch_off(const Wanted& from, std::size_t length) {
    PrefixTree::Node here = from.prefix;
    prefixes_.hold(here);
    for (; replay_.more(); replay_.feed()) {
        if (replay_.position() < length) continue;
        const std::uint32_t spent = bounded_ ? replay_.preemptions() : 0;
        for (ThreadSlot thread = 0; thread < replay_.machine().thread_count(); ++thread) {
            if (replay_.machine().exceeds_patience(thread)) continue;
            const Alternatives ways = replay_.machine().alternatives(thread);
            for (std::uint32_t value = 0; value < ways.count; ++value) {
                if (thread == replay_.thread() && value == replay_.event().value) continue;
                if (leaves_focus(replay_.machine(), replay_.track().last_thread(), thread, value)) continue;
                const std::uint32_t cost = spent + (bounded_ ? replay_.cost(thread, value) : 0);
                if (prefixes_.bytes() > options_.memory_limit / 2) {
                    totals_.note_incomplete("the memory limit ended the search for further schedules");
                    incomplete_from_ = std::min(incomplete_from_, cost);
                    continue;
                }
                want(prefixes_.extend(here, {replay_.machine().thread(thread).id, value}), cost);
            }
        }
        const PrefixTree::Node further = prefixes_.extend(here, {replay_.event().thread, replay_.event().value});
        prefixes_.release(here);
        here = further;
    }
    prefixes_.release(here);
}

Coverage ScheduleEnumeration::coverage() const {
    Coverage coverage;
    totals_.report(coverage);
    coverage.in_flight = out_.size();
    for (const auto& of_one_cost : wanted_) coverage.frontier += of_one_cost.size();
    const bool nothing_left = coverage.frontier == 0 && out_.empty();
    coverage.exhausted = nothing_left && incomplete_from_ == none;
    if (!bounded_) return coverage;
    const std::uint32_t unfinished = lowest_unfinished();
    const auto most_known = static_cast<std::uint32_t>(wanted_.size()) - 1;
    const std::uint32_t last = std::min(most_known, options_.max_bound.value_or(none));
    coverage.bound = unfinished != none ? unfinished : last;
    const std::uint32_t open = std::min(incomplete_from_, unfinished != none ? unfinished : last + 1);
    if (open > 0) coverage.complete_to = open - 1;
    return coverage;
}

void ScheduleEnumeration::save(Writer& out) const {
    std::vector<PrefixTree::Node> nodes;
    std::vector<std::uint32_t> costs;
    for (std::uint32_t cost = 0; cost < wanted_.size(); ++cost) {
        nodes.insert(nodes.end(), wanted_[cost].begin(), wanted_[cost].end());
        costs.insert(costs.end(), wanted_[cost].size(), cost);
    }
    for (const auto& [plan, wanted] : out_) {
        nodes.push_back(wanted.prefix);
        costs.push_back(wanted.cost);
    }
    totals_.save(out);
    out.number(plans_);
    out.number(incomplete_from_);
    out.number(wanted_.size());
    prefixes_.save(out, nodes);
    for (const std::uint32_t cost : costs) out.number(cost);
}

void ScheduleEnumeration::load(Reader& in) {
    totals_.load(in);
    plans_ = in.number();
    incomplete_from_ = static_cast<std::uint32_t>(in.number_below(1ULL << 32, "a bound"));
    out_.clear();
    wanted_.clear();
    const auto costs = static_cast<std::uint32_t>(in.number_below(1ULL << 24, "number of bounds"));
    if (costs == 0) throw BadInput("saved state is damaged: no bound to work on");
    wanted_.resize(costs);
    for (const PrefixTree::Node node : prefixes_.load(in))
        wanted_[in.number_below(costs, "the cost of a prefix")].push_back(node);
}

}  // namespace

std::unique_ptr<Strategy> make_dfs(const StrategyOptions& options) {
    return std::make_unique<ScheduleEnumeration>(options, false);
}

std::unique_ptr<Strategy> make_cb_dfs(const StrategyOptions& options) {
    return std::make_unique<ScheduleEnumeration>(options, true);
}

}  // namespace raddle
