#include "supervisor/engine/program/one_schedule.h"

#include "supervisor/search/around/restarting_search.h"
#include "supervisor/search/search_totals.h"
#include "supervisor/trace/replay_machine.h"

namespace raddle {

namespace {

class OneSchedule final : public Strategy {
public:
    OneSchedule(Schedule schedule, const StrategyOptions& options)
        : options_(options), totals_(options_), replay_(options.machine) {
        plan_.id = 1;
        plan_.prefix = std::move(schedule);
        plan_.max_steps = options.max_steps;
    }

    std::optional<Plan> next() override {
        if (state_ != State::wanted) return std::nullopt;
        state_ = State::out;
        return plan_;
    }
    void learn(const Plan& plan, const Execution& execution) override {
        state_ = State::done;
        replay_.begin(execution);
        replay_.feed_all();
        totals_.record(plan, execution, replay_);
    }
    void give_back(const Plan&) override { state_ = State::wanted; }
    bool finished() const override { return state_ == State::done; }
    Coverage coverage() const override {
        Coverage coverage;
        totals_.report(coverage);
        coverage.in_flight = state_ == State::out ? 1 : 0;
        coverage.frontier = state_ == State::wanted ? 1 : 0;
        return coverage;
    }
    std::vector<Finding> take_findings() override { return totals_.take_findings(); }
    // One execution has no state to save.
    void save(Writer&) const override {}
    void load(Reader&) override {}

private:
    enum class State { wanted, out, done };

    const StrategyOptions options_;
    Plan plan_;
    State state_ = State::wanted;
    SearchTotals totals_;
    ReplayMachine replay_;
};

}  // namespace

std::unique_ptr<Strategy> make_one_schedule(Schedule schedule, const StrategyOptions& options) {
    const auto make = [schedule = std::move(schedule), options] {
        return std::make_unique<OneSchedule>(schedule, options);
    };
    if (!options.visible_set) return make();
    return make_restarting_search(make, options.visible_set);
}

}  // namespace raddle
