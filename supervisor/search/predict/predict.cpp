// The strategy `predict`: it reads recorded executions for bugs that another order of their events shows, and executes
// that order.
//
// The first execution runs on, and later ones follow a prediction. Where none is left, and in every fourth execution,
// the schedule is drawn: another execution shows other events. Rules:
//   * The n-th execution is a function of the seed and n alone. Executions are planned in batches, from all batches
//     before. Workers may hand them back in any order.
//   * A prediction is a wish: raddle leaves out steps that cannot be taken, and reports what the execution shows.
// Risk: as sampling it never sees everything, and the coverage says so.
#include <algorithm>
#include <set>

#include "supervisor/base/text.h"
#include "supervisor/search/predict/predictions.h"
#include "supervisor/search/search_totals.h"
#include "supervisor/trace/data_races.h"

namespace raddle {

namespace {

class Predict final : public Strategy {
public:
    explicit Predict(const StrategyOptions& options)
        : options_(options), totals_(options_), replay_(options.machine), predictions_(options.machine) {}

    std::optional<Plan> next() override;
    void learn(const Plan& plan, const Execution& execution) override;
    void give_back(const Plan& plan) override;
    bool finished() const override { return next_ >= options_.samples && again_.empty() && out_.empty(); }
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

    void plan_batch();
    void learn_batch();
    Plan plan_of(std::uint64_t sample) const;
    bool is_in_batch(std::uint64_t sample) const {
        return sample >= batch_begin_ && sample - batch_begin_ < batch_.size();
    }

    const StrategyOptions options_;
    SearchTotals totals_;
    ReplayMachine replay_;
    Predictions predictions_;
    std::uint64_t next_ = 0;         // executions are numbered from 0, and are the ids of their plans
    std::uint64_t batch_begin_ = 0;  // the number of the batch's first one
    std::vector<Planned> batch_;
    std::uint64_t draws_ = 0;
    std::uint64_t predicted_ = 0, came_true_ = 0;
    std::set<std::uint64_t> again_;  // given back
    std::set<std::uint64_t> out_;
};

// The first two draws are those that the trial of the memory level has made already.
Plan Predict::plan_of(std::uint64_t sample) const {
    constexpr std::uint64_t known_draws = 2;
    const Planned& planned = batch_[sample - batch_begin_];
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
    std::uint64_t sample = next_;
    if (!again_.empty()) {
        sample = *again_.begin();
        again_.erase(again_.begin());
    } else {
        if (next_ >= options_.samples) return std::nullopt;
        if (!is_in_batch(next_)) {
            if (!out_.empty()) return std::nullopt;
            learn_batch();
            plan_batch();
        }
        ++next_;
    }
    out_.insert(sample);
    return plan_of(sample);
}

void Predict::learn_batch() {
    for (Planned& planned : batch_) {
        if (planned.prediction && planned.came_true) predictions_.note_true(planned.prediction->key);
        predictions_.add(std::move(planned.found));
    }
}

// A batch is an eighth of all executions before. Many workers then seldom wait for each other.
void Predict::plan_batch() {
    constexpr std::uint64_t largest = 32, draws_one_of = 4;
    batch_begin_ = next_;
    batch_.assign(std::clamp<std::uint64_t>(next_ / 8, 1, largest), {});
    for (std::uint64_t i = 0; i < batch_.size(); ++i) {
        const std::uint64_t sample = batch_begin_ + i;
        if (sample == 0) continue;
        if (sample % draws_one_of != 0) batch_[i].prediction = predictions_.take();
        if (!batch_[i].prediction) batch_[i].draw = ++draws_;
    }
}

void Predict::learn(const Plan& plan, const Execution& execution) {
    CHECK(out_.erase(plan.id) == 1);
    replay_.begin(execution);
    replay_.feed_all();
    Planned& planned = batch_[plan.id - batch_begin_];
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

void Predict::give_back(const Plan& plan) {
    CHECK(out_.erase(plan.id) == 1);
    again_.insert(plan.id);
}

Coverage Predict::coverage() const {
    Coverage coverage;
    totals_.report(coverage);
    coverage.in_flight = out_.size();
    coverage.frontier = again_.size() + (next_ < options_.samples ? options_.samples - next_ : 0);
    coverage.predictions = predicted_;
    coverage.came_true = came_true_;
    coverage.incomplete_because.emplace_back("predictions see only what the recorded executions did");
    if (predictions_.left_out() > 0)
        coverage.incomplete_because.push_back(counted(predictions_.left_out(), "suspicion") +
                                              " left out: too many, or too much effort for one execution");
    return coverage;
}

void Predict::save(Writer& out) const {
    out.number(options_.seed);
    totals_.save(out);
    predictions_.save(out);
    out.number(next_);
    out.number(draws_);
    out.number(predicted_);
    out.number(came_true_);
    out.number(batch_begin_);
    out.number(batch_.size());
    for (const Planned& planned : batch_) {
        out.number((planned.prediction ? 1 : 0) + (planned.came_true ? 2 : 0));
        if (planned.prediction) save_prediction(out, *planned.prediction);
        out.number(planned.draw);
        save_found(out, planned.found);
    }
    std::set<std::uint64_t> wanted = again_;
    wanted.insert(out_.begin(), out_.end());
    out.number(wanted.size());
    for (const std::uint64_t sample : wanted) out.number(sample);
}

// StrategyOptions::samples may be higher than at the time of saving: the executions so far are the first of them.
void Predict::load(Reader& in) {
    const std::uint64_t seed = in.number();
    if (seed != options_.seed)
        throw BadInput("saved search state: its samples were drawn with the seed " + std::to_string(seed) + ", not " +
                       std::to_string(options_.seed));
    totals_.load(in);
    predictions_.load(in);
    next_ = in.number();
    draws_ = in.number();
    predicted_ = in.number();
    came_true_ = in.number();
    batch_begin_ = in.number();
    batch_.assign(in.count("number of executions in a batch"), {});
    for (Planned& planned : batch_) {
        const std::uint64_t bits = in.number_below(4, "the state of an execution");
        if ((bits & 1) != 0) planned.prediction = load_prediction(in);
        planned.came_true = (bits & 2) != 0;
        planned.draw = in.number();
        planned.found = load_found(in);
    }
    out_.clear();
    again_.clear();
    for (std::size_t left = in.count("number of samples to draw again"); left > 0; --left) {
        const std::uint64_t sample = in.number_below(next_, "a sample to draw again");
        if (!is_in_batch(sample)) throw BadInput("saved state is damaged: a sample of an earlier batch");
        again_.insert(sample);
    }
}

}  // namespace

std::unique_ptr<Strategy> make_predict(const StrategyOptions& options) { return std::make_unique<Predict>(options); }

}  // namespace raddle
