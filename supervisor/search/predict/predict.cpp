// The strategy `predict`: it reads recorded executions for bugs that another order of their events shows, and executes
// that order.
//
// The first execution runs on, and later ones follow a prediction. Where none is left, and in every fourth execution,
// the schedule is drawn: another execution shows other events. Rules:
//   * The n-th execution is a function of the seed and n alone. Executions are planned in batches, from all batches
//     before. Workers may hand them back in any order.
//   * A prediction is a wish: raddle leaves out steps that cannot be taken, and reports what the execution shows.
// Risk: as sampling it never sees everything, and the coverage says so.
#include "supervisor/base/text.h"
#include "supervisor/search/predict/predictions.h"
#include "supervisor/search/sampling/numbered_executions.h"
#include "supervisor/search/search_totals.h"
#include "supervisor/trace/data_races.h"

namespace raddle {

namespace {

class Predict final : public Strategy {
public:
    explicit Predict(const StrategyOptions& options)
        : options_(options),
          totals_(options_),
          replay_(options.machine),
          predictions_(options.machine),
          numbers_(options) {}

    std::optional<Plan> next() override;
    void learn(const Plan& plan, const Execution& execution) override;
    void give_back(const Plan& plan) override { numbers_.give_back(plan.id); }
    bool finished() const override { return numbers_.finished(); }
    Coverage coverage() const override;
    std::vector<Finding> take_findings() override { return totals_.take_findings(); }
    void save(Writer& out) const override;
    void load(Reader& in) override;

private:
    // An execution of the batch.
    struct Planned {
        std::optional<Prediction> prediction{};
        std::uint64_t draw = 0;  // its number among those that are drawn, from 1; 0: it is not drawn
        Predictions::Found found{};
        bool came_true = false;
    };

    void learn_batch();
    void plan_batch(std::uint64_t first);
    Plan plan_of(std::uint64_t sample) const;

    const StrategyOptions options_;
    SearchTotals totals_;
    ReplayMachine replay_;
    Predictions predictions_;
    NumberedExecutions numbers_;  // the ids of their plans
    Batch<Planned> batch_;
    std::uint64_t draws_ = 0;
    std::uint64_t predicted_ = 0, came_true_ = 0;
};

// The first two draws are those that the trial of the memory level has made already.
Plan Predict::plan_of(std::uint64_t sample) const {
    constexpr std::uint64_t known_draws = 2;
    const Planned& planned = batch_[sample];
    Plan plan;
    plan.id = sample;
    if (planned.prediction) {
        plan.prefix = planned.prediction->prefix;
        plan.tail.leaves_out_impossible = true;
    } else if (planned.draw > 0) {
        plan.tail.kind = planned.draw <= known_draws ? TailKind::random : TailKind::pos;
        plan.tail.seed = seed_of_draw(options_.seed, plan.tail.kind, planned.draw - 1);
    }
    plan.max_steps = options_.max_steps;
    return plan;
}

std::optional<Plan> Predict::next() {
    const auto sample = batch_.take(numbers_, [&](std::uint64_t first) {
        learn_batch();
        plan_batch(first);
    });
    return sample ? std::optional(plan_of(*sample)) : std::nullopt;
}

void Predict::learn_batch() {
    for (Planned& planned : batch_) {
        if (planned.prediction && planned.came_true) predictions_.note_true(planned.prediction->key);
        predictions_.add(std::move(planned.found));
    }
}

void Predict::plan_batch(std::uint64_t first) {
    constexpr std::uint64_t draws_one_of = 4;
    batch_.start(first);
    for (std::uint64_t sample = first; batch_.has(sample); ++sample) {
        if (sample == 0) continue;
        Planned& planned = batch_[sample];
        if (sample % draws_one_of != 0) planned.prediction = predictions_.take();
        if (!planned.prediction) planned.draw = ++draws_;
    }
}

void Predict::learn(const Plan& plan, const Execution& execution) {
    numbers_.come_back(plan.id);
    replay_.begin(execution);
    replay_.feed_all();
    Planned& planned = batch_[plan.id];
    if (planned.prediction) {
        const bool is_race = planned.prediction->bug == BugClass::race;
        planned.came_true = is_bug(execution.verdict) || (is_race && !races_back_to_back(execution).empty());
        ++predicted_;
        came_true_ += planned.came_true ? 1 : 0;
    }
    totals_.record(plan, execution, replay_);
    const VerdictUse use = use_of(execution.verdict);
    if (!replay_.mismatch() && use != VerdictUse::doubtful) planned.found = predictions_.find(replay_.track());
}

Coverage Predict::coverage() const {
    Coverage coverage;
    totals_.report(coverage);
    numbers_.report(coverage);
    coverage.predictions = predicted_;
    coverage.came_true = came_true_;
    coverage.incomplete_because.emplace_back("predictions see only what the recorded executions did");
    if (predictions_.left_out() > 0)
        coverage.incomplete_because.push_back(counted(predictions_.left_out(), "suspicion") +
                                              " left out: too many, or too much effort for one execution");
    return coverage;
}

void Predict::save(Writer& out) const {
    numbers_.save_seed(out);
    totals_.save(out);
    predictions_.save(out);
    numbers_.save_begun(out);
    out.number(draws_);
    out.number(predicted_);
    out.number(came_true_);
    batch_.save(out, [&](const Planned& planned) {
        out.number((planned.prediction ? 1 : 0) + (planned.came_true ? 2 : 0));
        if (planned.prediction) save_prediction(out, *planned.prediction);
        out.number(planned.draw);
        save_found(out, planned.found);
    });
    numbers_.save_wanted(out);
}

void Predict::load(Reader& in) {
    numbers_.check_seed(in);
    totals_.load(in);
    predictions_.load(in);
    numbers_.load_begun(in);
    draws_ = in.number();
    predicted_ = in.number();
    came_true_ = in.number();
    batch_.load(in, [&](Planned& planned) {
        const std::uint64_t bits = in.number_below(4, "the state of an execution");
        if ((bits & 1) != 0) planned.prediction = load_prediction(in);
        planned.came_true = (bits & 2) != 0;
        planned.draw = in.number();
        planned.found = load_found(in);
    });
    batch_.load_wanted(in, numbers_);
}

}  // namespace

std::unique_ptr<Strategy> make_predict(const StrategyOptions& options) { return std::make_unique<Predict>(options); }

}  // namespace raddle
