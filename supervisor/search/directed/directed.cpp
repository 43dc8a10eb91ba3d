// The strategy `directed`: it looks for orders of events that bugs are known for, and samples in between.
//
// The first execution runs on. Every fourth one is drawn like those of `pos`: it shows new code and new orders to look
// at. All others follow a candidate (README.md), or are drawn, too, if there is none. Rules:
//   * The n-th execution is a function of the seed and n alone. Executions are planned in batches, from all batches
//     before. Workers may hand them back in any order.
//   * A candidate is executed only if its schedule leads to an unknown past, or to a bug.
// Risk: as sampling it never sees everything, and the coverage says so.
#include "supervisor/search/directed/directed_search.h"
#include "supervisor/search/sampling/numbered_executions.h"
#include "supervisor/search/search_totals.h"

namespace raddle {

namespace {

class Directed final : public Strategy {
public:
    explicit Directed(const StrategyOptions& options, BugPatterns patterns = {})
        : options_(options),
          totals_(options_),
          replay_(options.machine),
          search_(options_, options.memory_limit / 2 / 100, patterns),
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
    // An execution of the batch: its plan, and its schedule as soon as it is back.
    struct Planned {
        Schedule prefix;
        bool is_drawn = false;
        std::optional<Schedule> seen;
    };

    void learn_batch();
    void plan_batch(std::uint64_t first);
    Plan plan_of(std::uint64_t sample) const;

    const StrategyOptions options_;
    SearchTotals totals_;
    ReplayMachine replay_;
    DirectedSearch search_;
    NumberedExecutions numbers_;  // the ids of their plans
    Batch<Planned> batch_;
};

Plan Directed::plan_of(std::uint64_t sample) const {
    const Planned& planned = batch_[sample];
    Plan plan;
    plan.id = sample;
    plan.prefix = planned.prefix;
    if (planned.is_drawn) {
        plan.tail.kind = TailKind::pos;
        plan.tail.seed = numbers_.seed_of(sample);
    }
    plan.max_steps = options_.max_steps;
    return plan;
}

std::optional<Plan> Directed::next() {
    const auto sample = batch_.take(numbers_, [&](std::uint64_t first) {
        learn_batch();
        plan_batch(first);
    });
    return sample ? std::optional(plan_of(*sample)) : std::nullopt;
}

void Directed::learn_batch() {
    for (const Planned& planned : batch_)
        if (planned.seen) search_.learn_orders(*planned.seen);
    search_.begin_batch();
}

void Directed::plan_batch(std::uint64_t first) {
    constexpr std::uint64_t draws_one_of = 4;
    batch_.start(first);
    for (std::uint64_t sample = first; batch_.has(sample); ++sample) {
        if (sample == 0) continue;
        auto proposal = sample % draws_one_of == draws_one_of - 1 ? std::nullopt : search_.propose();
        batch_[sample].is_drawn = !proposal;
        if (proposal) batch_[sample].prefix = std::move(proposal->prefix);
    }
}

void Directed::learn(const Plan& plan, const Execution& execution) {
    numbers_.come_back(plan.id);
    replay_.begin(execution);
    replay_.feed_all();
    if (!totals_.record(plan, execution, replay_)) return;
    search_.learn_pasts(replay_.track());
    batch_[plan.id].seen = execution.schedule();
}

Coverage Directed::coverage() const {
    Coverage coverage;
    totals_.report(coverage);
    numbers_.report(coverage);
    coverage.incomplete_because.emplace_back("a directed search does not see everything");
    return coverage;
}

void Directed::save(Writer& out) const {
    numbers_.save_seed(out);
    totals_.save(out);
    search_.save(out);
    numbers_.save_begun(out);
    batch_.save(out, [&](const Planned& planned) {
        out.number((planned.is_drawn ? 1 : 0) + (planned.seen ? 2 : 0));
        save_schedule(out, planned.prefix);
        if (planned.seen) save_schedule(out, *planned.seen);
    });
    numbers_.save_wanted(out);
}

void Directed::load(Reader& in) {
    numbers_.check_seed(in);
    totals_.load(in);
    search_.load(in);
    numbers_.load_begun(in);
    batch_.load(in, [&](Planned& planned) {
        const std::uint64_t bits = in.number_below(4, "the state of an execution");
        planned.is_drawn = (bits & 1) != 0;
        planned.prefix = load_schedule(in);
        if ((bits & 2) != 0) planned.seen = load_schedule(in);
    });
    batch_.load_wanted(in, numbers_);
}

}  // namespace

std::unique_ptr<Strategy> make_directed(const StrategyOptions& options) { return std::make_unique<Directed>(options); }
std::unique_ptr<Strategy> make_directed_without(const StrategyOptions& options, BugPattern pattern) {
    return std::make_unique<Directed>(options, BugPatterns().without(pattern));
}

}  // namespace raddle
