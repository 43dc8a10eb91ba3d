// The strategies optimal and source: plans and totals around the search over a tree of executions (tree_search.h).
#include <algorithm>
#include <unordered_map>
#include <utility>

#include "supervisor/search/follower.h"
#include "supervisor/search/saved_parts.h"
#include "supervisor/search/strategy.h"
#include "supervisor/search/tree/tree_plan.h"

namespace raddle {

namespace {

class TreeStrategy : public Strategy {
public:
    TreeStrategy(const StrategyOptions& options, TreeSearch::Rule rule)
        : options_(options), track_(options.machine), tree_(rule) {}

    std::optional<Plan> next() override;
    void learn(const Plan& plan, const Execution& execution) override;
    void give_back(const Plan& plan) override;
    bool finished() const override { return out_.empty() && wanted_.empty() && (tree_.finished() || stopped_); }
    Coverage coverage() const override;
    std::vector<Finding> take_findings() override { return std::exchange(findings_, {}); }
    void save(Writer& out) const override;
    void load(Reader& in) override;

private:
    void because(const std::string& reason);
    void note_graph(const Execution& execution);

    StrategyOptions options_;
    Track track_;
    Follower follower_{track_};
    TreeSearch tree_;
    std::unordered_map<std::uint64_t, std::pair<Plan, TreePlan>> out_;
    std::vector<std::pair<Plan, TreePlan>> wanted_;
    std::uint64_t next_id_ = 1;
    std::uint64_t executions_ = 0;
    std::uint64_t abandoned_ = 0;
    std::uint64_t graphs_ = 0;
    bool stopped_ = false;  // no further plans
    std::vector<Finding> findings_;
    std::vector<std::string> reasons_;
};

std::optional<Plan> TreeStrategy::next() {
    std::pair<Plan, TreePlan> order;
    if (!wanted_.empty()) {
        order = std::move(wanted_.back());
        wanted_.pop_back();
    } else {
        if (stopped_) return std::nullopt;
        std::optional<TreePlan> found = tree_.next();
        if (!found) return std::nullopt;
        order.first = plan_of(*found, track_.machine());
        order.first.id = next_id_++;
        order.first.max_steps = options_.max_steps;
        order.second = std::move(*found);
    }
    Plan plan = order.first;
    out_.emplace(plan.id, std::move(order));
    return plan;
}

void TreeStrategy::learn(const Plan& plan, const Execution& execution) {
    const auto found = out_.find(plan.id);
    if (found == out_.end()) return;
    const TreePlan tree_plan = std::move(found->second.second);
    out_.erase(found);
    ++executions_;
    const Followed& followed = follower_.follow(execution);
    const bool as_planned =
        followed.agrees && execution.verdict != Verdict::diverged && track_.size() >= tree_plan.path.size();
    if (!as_planned) {
        because("nondeterminism: " + (followed.agrees ? execution.message : followed.disagreement));
        findings_.push_back({Verdict::diverged, 0, execution.schedule(), reasons_.back()});
        tree_.abandon(tree_plan);
        return;
    }
    tree_.learn(tree_plan, track_);
    if (execution.verdict == Verdict::abandoned)
        ++abandoned_;
    else if (is_cut(execution.verdict))
        because(text_of(execution.verdict));
    else
        note_graph(execution);
    if (!execution.cut_short.empty()) because(execution.cut_short);
    if (is_bug(execution.verdict))
        findings_.push_back(
            {execution.verdict, follower_.preemptions(execution), execution.schedule(), execution.message});
}

// No graph comes twice, so each finished execution is a new graph.
void TreeStrategy::note_graph(const Execution& execution) {
    ++graphs_;
    if (options_.on_graph) options_.on_graph(execution.schedule());
}

void TreeStrategy::give_back(const Plan& plan) {
    const auto found = out_.find(plan.id);
    if (found == out_.end()) return;
    wanted_.push_back(std::move(found->second));
    out_.erase(found);
}

void TreeStrategy::because(const std::string& reason) {
    if (std::find(reasons_.begin(), reasons_.end(), reason) == reasons_.end()) reasons_.push_back(reason);
}

Coverage TreeStrategy::coverage() const {
    Coverage coverage;
    coverage.executions = executions_;
    coverage.graphs = graphs_;
    coverage.abandoned = abandoned_;
    coverage.in_flight = out_.size();
    coverage.frontier = tree_.frontier() + wanted_.size();
    coverage.exhausted = finished() && !stopped_ && reasons_.empty();
    coverage.incomplete_because = reasons_;
    return coverage;
}

void TreeStrategy::save(Writer& out) const {
    out.number(executions_);
    out.number(abandoned_);
    out.number(graphs_);
    out.number(next_id_);
    out.number(reasons_.size());
    for (const std::string& reason : reasons_) out.text(reason);
    save_findings(out, findings_);
    tree_.save(out, track_.machine());
}

void TreeStrategy::load(Reader& in) {
    executions_ = in.number();
    abandoned_ = in.number();
    graphs_ = in.number();
    next_id_ = in.number();
    for (std::size_t reasons = in.count("number of reasons"); reasons > 0; --reasons) reasons_.push_back(in.text());
    findings_ = load_findings(in);
    tree_.load(in, track_.machine());
}

}  // namespace

std::unique_ptr<Strategy> make_optimal(const StrategyOptions& options) {
    return std::make_unique<TreeStrategy>(options, TreeSearch::Rule::optimal);
}
std::unique_ptr<Strategy> make_source(const StrategyOptions& options) {
    return std::make_unique<TreeStrategy>(options, TreeSearch::Rule::source);
}

}  // namespace raddle
