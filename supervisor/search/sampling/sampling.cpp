// The strategies random, pct, pos and surw: executions drawn at random, for programs too large to exhaust.
//
// Idea: random walks; PCT (Burckhardt, Kothari, Musuvathi, Nagarakatte, ASPLOS 2010), which finds a bug of depth d with
// a known probability; POS, partial order sampling (Yuan, Yang, Gu, CAV 2018); SURW, the selectively uniform random
// walk (Zhao et al., ASPLOS 2025). The target draws the steps by the plan's tail (model/tail.h); this strategy only
// hands out seeds. Rules:
//   * The n-th execution is a function of the seed and n alone. Workers may hand them back in any order.
//   * pct needs the length of executions, and surw the counts of their events. They draw in rounds, each as large as
//   all
//     before together. A round uses the counts of the executions before, so it starts when the one before is complete.
// Risk: sampling never sees everything, and the coverage says so.
#include "supervisor/search/sampling/event_counts.h"
#include "supervisor/search/sampling/numbered_executions.h"
#include "supervisor/search/search_totals.h"

namespace raddle {

namespace {

class Sampling final : public Strategy {
public:
    Sampling(const StrategyOptions& options, TailKind kind)
        : options_(options), kind_(kind), totals_(options_), replay_(options.machine), numbers_(options) {}

    std::optional<Plan> next() override;
    void learn(const Plan& plan, const Execution& execution) override;
    void give_back(const Plan& plan) override { numbers_.give_back(plan.id); }
    bool finished() const override { return numbers_.finished(); }
    Coverage coverage() const override;
    std::vector<Finding> take_findings() override { return totals_.take_findings(); }
    void save(Writer& out) const override;
    void load(Reader& in) override;

private:
    bool counts_events() const { return kind_ == TailKind::surw; }
    bool opens_round(std::uint64_t sample) const {
        return (kind_ == TailKind::pct || counts_events()) && (sample & (sample + 1)) == 0;
    }
    bool open_round();
    Plan plan_of(std::uint64_t sample) const;

    const StrategyOptions options_;
    const TailKind kind_;
    SearchTotals totals_;
    ReplayMachine replay_;
    NumberedExecutions numbers_;      // the ids of their plans
    std::uint64_t longest_ = 0;       // the most events of an execution
    std::uint64_t round_length_ = 0;  // `longest_` at the start of the round
    // surw: the counts of the first executions, now and at the start of the round
    static constexpr std::uint64_t most_counted = 64;
    EventCounts counts_, round_counts_;
};

Plan Sampling::plan_of(std::uint64_t sample) const {
    Plan plan;
    plan.id = sample;
    plan.tail.kind = kind_;
    plan.tail.depth = options_.depth;
    plan.tail.seed = numbers_.seed_of(sample);
    plan.tail.length = round_length_;
    if (counts_events()) {
        plan.tail.interest = interest_of_draw(round_counts_, plan.tail.seed);
        plan.weights = round_counts_.weights(plan.tail.interest);
    }
    plan.max_steps = options_.max_steps;
    return plan;
}

// A round starts when the one before is complete.
bool Sampling::open_round() {
    if (!numbers_.none_is_away()) return false;
    round_length_ = longest_;
    round_counts_ = counts_;
    return true;
}

std::optional<Plan> Sampling::next() {
    const auto sample = numbers_.take([&](std::uint64_t number) { return !opens_round(number) || open_round(); });
    return sample ? std::optional(plan_of(*sample)) : std::nullopt;
}

void Sampling::learn(const Plan& plan, const Execution& execution) {
    numbers_.come_back(plan.id);
    replay_.begin(execution);
    replay_.feed_all();
    totals_.record(plan, execution, replay_);
    longest_ = std::max<std::uint64_t>(longest_, execution.events.size());
    if (counts_events() && plan.id < most_counted) counts_.learn(replay_.track());
}

Coverage Sampling::coverage() const {
    Coverage coverage;
    totals_.report(coverage);
    numbers_.report(coverage);
    coverage.incomplete_because.emplace_back("sampling never sees everything");
    return coverage;
}

void Sampling::save(Writer& out) const {
    numbers_.save_seed(out);
    out.number(options_.depth);
    totals_.save(out);
    numbers_.save_begun(out);
    out.number(longest_);
    out.number(round_length_);
    numbers_.save_wanted(out);
    if (!counts_events()) return;
    counts_.save(out);
    round_counts_.save(out);
}

void Sampling::load(Reader& in) {
    numbers_.check_seed(in);
    const std::uint64_t depth = in.number();
    if (kind_ == TailKind::pct && depth != options_.depth)
        throw BadInput("saved search state: its samples were drawn with the depth " + std::to_string(depth) + ", not " +
                       std::to_string(options_.depth));
    totals_.load(in);
    numbers_.load_begun(in);
    longest_ = in.number();
    round_length_ = in.number();
    numbers_.load_wanted(in);
    if (!counts_events()) return;
    counts_.load(in);
    round_counts_.load(in);
}

}  // namespace

#define RADDLE_SAMPLING_TAIL(name, number, comment)                         \
    std::unique_ptr<Strategy> make_##name(const StrategyOptions& options) { \
        return std::make_unique<Sampling>(options, TailKind::name);         \
    }
#include "supervisor/model/tail.def"

}  // namespace raddle
