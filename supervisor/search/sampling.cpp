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
#include <algorithm>
#include <set>

#include "supervisor/search/event_counts.h"
#include "supervisor/search/search_totals.h"

namespace raddle {

namespace {

class Sampling final : public Strategy {
public:
    Sampling(const StrategyOptions& options, TailKind kind)
        : options_(options), kind_(kind), totals_(options_), replay_(options.machine) {}

    std::optional<Plan> next() override;
    void learn(const Plan& plan, const Execution& execution) override;
    void give_back(const Plan& plan) override;
    bool finished() const override { return next_ >= options_.samples && again_.empty() && out_.empty(); }
    Coverage coverage() const override;
    std::vector<Finding> take_findings() override { return totals_.take_findings(); }
    void save(Writer& out) const override;
    void load(Reader& in) override;

private:
    bool counts_events() const { return kind_ == TailKind::surw; }
    bool next_opens_round() const { return (kind_ == TailKind::pct || counts_events()) && (next_ & (next_ + 1)) == 0; }
    Plan plan_of(std::uint64_t sample) const;

    const StrategyOptions options_;
    const TailKind kind_;
    SearchTotals totals_;
    ReplayMachine replay_;
    std::uint64_t next_ = 0;         // samples are numbered from 0, and are the ids of their plans
    std::set<std::uint64_t> again_;  // given back: to be drawn again
    std::set<std::uint64_t> out_;
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
    plan.tail.seed = mix64(mix64(options_.seed) + sample * 0x9e3779b97f4a7c15ULL);
    plan.tail.length = round_length_;
    if (counts_events()) {
        plan.tail.interest = interest_of_draw(round_counts_, plan.tail.seed);
        plan.weights = round_counts_.weights(plan.tail.interest);
    }
    plan.max_steps = options_.max_steps;
    return plan;
}

std::optional<Plan> Sampling::next() {
    std::uint64_t sample = next_;
    if (!again_.empty()) {
        sample = *again_.begin();
        again_.erase(again_.begin());
    } else {
        if (next_ >= options_.samples) return std::nullopt;
        if (next_opens_round()) {
            if (!out_.empty()) return std::nullopt;
            round_length_ = longest_;
            round_counts_ = counts_;
        }
        ++next_;
    }
    out_.insert(sample);
    return plan_of(sample);
}

void Sampling::learn(const Plan& plan, const Execution& execution) {
    CHECK(out_.erase(plan.id) == 1);
    replay_.begin(execution);
    replay_.feed_all();
    totals_.record(plan, execution, replay_);
    longest_ = std::max<std::uint64_t>(longest_, execution.events.size());
    if (counts_events() && plan.id < most_counted) counts_.learn(replay_.track());
}

void Sampling::give_back(const Plan& plan) {
    CHECK(out_.erase(plan.id) == 1);
    again_.insert(plan.id);
}

Coverage Sampling::coverage() const {
    Coverage coverage;
    totals_.report(coverage);
    coverage.in_flight = out_.size();
    coverage.frontier = again_.size() + (next_ < options_.samples ? options_.samples - next_ : 0);
    coverage.incomplete_because.emplace_back("sampling never sees everything");
    return coverage;
}

void Sampling::save(Writer& out) const {
    out.number(options_.seed);
    out.number(options_.depth);
    totals_.save(out);
    out.number(next_);
    out.number(longest_);
    out.number(round_length_);
    std::set<std::uint64_t> wanted = again_;
    wanted.insert(out_.begin(), out_.end());
    out.number(wanted.size());
    for (const std::uint64_t sample : wanted) out.number(sample);
    if (!counts_events()) return;
    counts_.save(out);
    round_counts_.save(out);
}

// StrategyOptions::samples may be higher than at the time of saving: the drawn samples are the first of them.
void Sampling::load(Reader& in) {
    const std::uint64_t seed = in.number(), depth = in.number();
    if (seed != options_.seed)
        throw BadInput("saved search state: its samples were drawn with the seed " + std::to_string(seed) + ", not " +
                       std::to_string(options_.seed));
    if (kind_ == TailKind::pct && depth != options_.depth)
        throw BadInput("saved search state: its samples were drawn with the depth " + std::to_string(depth) + ", not " +
                       std::to_string(options_.depth));
    totals_.load(in);
    next_ = in.number();
    longest_ = in.number();
    round_length_ = in.number();
    out_.clear();
    again_.clear();
    for (std::size_t left = in.count("number of samples to draw again"); left > 0; --left)
        again_.insert(in.number_below(next_, "a sample to draw again"));
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
