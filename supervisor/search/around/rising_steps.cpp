#include "supervisor/search/around/rising_steps.h"

#include <algorithm>
#include <deque>
#include <set>
#include <utility>

#include "supervisor/search/postponing.h"
#include "supervisor/trace/postponed.h"

namespace raddle {

namespace {

constexpr std::uint64_t growth = 4;
constexpr std::size_t few = 4;

class RisingSteps final : public Strategy {
public:
    RisingSteps(std::unique_ptr<Strategy> strategy, std::uint64_t first, std::uint64_t last)
        : strategy_(std::move(strategy)),
          postponing_(dynamic_cast<Postponing*>(strategy_.get())),
          limit_(std::min(first, last)),
          last_(last) {}

    std::optional<Plan> next() override {
        std::optional<Plan> plan = again();
        if (!plan) plan = strategy_->next();
        if (!plan && out_.empty() && !(postponed_.empty() && kept_.empty())) {
            rise();
            plan = again();
            if (!plan) plan = strategy_->next();
        }
        if (!plan) return plan;
        out_.insert(plan->id);
        plan->max_steps = limit_of(*plan);
        plan->comes_again = plan->max_steps < last_;
        return plan;
    }

    void learn(const Plan& plan, const Execution& execution) override {
        out_.erase(plan.id);
        if (!is_postponed(plan, execution)) {
            any_ended_ = true;
            return strategy_->learn(plan, execution);
        }
        postpone(plan);
        ++cut_;
        // Perhaps the program takes so many steps.
        if (!any_ended_ && cut_ % few == 0) rise();
    }

    void give_back(const Plan& plan) override {
        out_.erase(plan.id);
        strategy_->give_back(plan);
    }

    bool finished() const override { return strategy_->finished(); }
    Coverage coverage() const override {
        Coverage coverage = strategy_->coverage();
        coverage.postponed = postponed_.size() + again_.size() + kept_.size();
        coverage.executions += cut_;
        return coverage;
    }
    std::optional<bool> has_seen(const Hash128& graph) const override { return strategy_->has_seen(graph); }
    std::vector<Finding> take_findings() override { return strategy_->take_findings(); }

    void forget_bug(const Finding& bug) override { strategy_->forget_bug(bug); }

    // A loaded search wants the plans that were out, so nothing of this one's state is saved.
    void save(Writer& out) const override { strategy_->save(out); }
    void load(Reader& in) override {
        out_.clear();
        postponed_.clear();
        kept_.clear();
        again_.clear();
        strategy_->load(in);
    }
    bool has_incremental_state() const override { return strategy_->has_incremental_state(); }
    IncrementalState* incremental_state() override { return strategy_->incremental_state(); }
    // The plans that were out or postponed are void; the new search asks for them again.
    std::unique_ptr<Strategy> outgrown(const Growth& what) override {
        std::unique_ptr<Strategy> next = strategy_->outgrown(what);
        if (next == nullptr) return nullptr;
        auto rising = std::make_unique<RisingSteps>(std::move(next), limit_, last_);
        rising->any_ended_ = any_ended_;
        return rising;
    }
    bool merge(const Strategy& other) override {
        const auto* same = dynamic_cast<const RisingSteps*>(&other);
        if (same == nullptr || !out_.empty() || !same->out_.empty()) return false;
        if (!same->postponed_.empty() || !same->kept_.empty() || !same->again_.empty()) return false;
        for (std::deque<Plan>* plans : {&again_, &postponed_, &kept_})
            for (const Plan& plan : std::exchange(*plans, {})) strategy_->give_back(plan);
        return strategy_->merge(*same->strategy_);
    }

private:
    // A plan with a long prefix needs room for some steps of its own.
    std::uint64_t limit_of(const Plan& plan) const {
        std::uint64_t limit = limit_;
        while (limit < last_ && plan.prefix.size() >= limit / 2) limit *= growth;
        return std::min(limit, last_);
    }

    void postpone(const Plan& plan) {
        const auto answer = postponing_ != nullptr ? postponing_->postpone(plan) : Postponing::Answer::waits;
        if (answer == Postponing::Answer::waits) postponed_.push_back(plan);
        if (answer == Postponing::Answer::keeps) kept_.push_back(plan);
    }

    void rise() {
        limit_ = std::min(limit_ * growth, last_);
        again_.insert(again_.end(), postponed_.begin(), postponed_.end());
        postponed_.clear();
        for (const Plan& plan : std::exchange(kept_, {})) strategy_->give_back(plan);
    }

    std::optional<Plan> again() {
        if (again_.empty()) return std::nullopt;
        std::optional<Plan> plan = std::move(again_.front());
        again_.pop_front();
        return plan;
    }

    std::unique_ptr<Strategy> strategy_;
    Postponing* const postponing_;  // the strategy, if it need not wait; null otherwise
    std::uint64_t limit_;
    const std::uint64_t last_;
    bool any_ended_ = false;
    std::uint64_t cut_ = 0;        // executions that a limit before the last one cut
    std::set<std::uint64_t> out_;  // the ids of plans
    std::deque<Plan> postponed_;   // cut at this limit; the strategy waits for them
    std::deque<Plan> kept_;        // cut at this limit; the strategy goes on without them
    std::deque<Plan> again_;       // cut at the limit before
};

}  // namespace

std::unique_ptr<Strategy> make_rising_steps(std::unique_ptr<Strategy> strategy, const StrategyOptions& options) {
    if (options.first_max_steps >= options.max_steps) return strategy;
    return std::make_unique<RisingSteps>(std::move(strategy), options.first_max_steps, options.max_steps);
}

}  // namespace raddle
