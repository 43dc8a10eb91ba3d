// The strategy `directed`: it looks for orders of events that bugs are known for, and samples in between.
//
// The first execution runs on. Every fourth one is drawn like those of `pos`: it shows new code and new orders to look
// at. All others follow a candidate (README.md), or are drawn, too, if there is none. Rules:
//   * The n-th execution is a function of the seed and n alone. Executions are planned in batches, from all batches
//     before. Workers may hand them back in any order.
//   * A candidate is executed only if its schedule leads to an unknown past, or to a bug.
// Risk: as sampling it never sees everything, and the coverage says so.
#include <algorithm>
#include <set>

#include "supervisor/search/directed/directed_search.h"
#include "supervisor/search/search_totals.h"

namespace raddle {

namespace {

class Directed final : public Strategy {
public:
    explicit Directed(const StrategyOptions& options, BugPatterns patterns = {})
        : options_(options),
          totals_(options_),
          replay_(options.machine),
          search_(options_, options.memory_limit / 2 / 100, patterns) {}

    std::optional<Plan> next() override;
    void learn(const Plan& plan, const Execution& execution) override;
    void give_back(const Plan& plan) override;
    bool finished() const override { return next_ >= options_.samples && again_.empty() && out_.empty(); }
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

    void plan_batch();
    void learn_batch();
    Plan plan_of(std::uint64_t sample) const;
    Planned& planned(std::uint64_t sample) { return batch_[sample - batch_begin_]; }
    bool is_in_batch(std::uint64_t sample) const {
        return sample >= batch_begin_ && sample - batch_begin_ < batch_.size();
    }

    const StrategyOptions options_;
    SearchTotals totals_;
    ReplayMachine replay_;
    DirectedSearch search_;
    std::uint64_t next_ = 0;         // executions are numbered from 0, and are the ids of their plans
    std::uint64_t batch_begin_ = 0;  // the number of the batch's first one
    std::vector<Planned> batch_;
    std::set<std::uint64_t> again_;  // given back
    std::set<std::uint64_t> out_;
};

Plan Directed::plan_of(std::uint64_t sample) const {
    const Planned& planned = batch_[sample - batch_begin_];
    Plan plan;
    plan.id = sample;
    plan.prefix = planned.prefix;
    if (planned.is_drawn) {
        plan.tail.kind = TailKind::pos;
        plan.tail.seed = mix64(mix64(options_.seed) + sample * 0x9e3779b97f4a7c15ULL);
    }
    plan.max_steps = options_.max_steps;
    return plan;
}

std::optional<Plan> Directed::next() {
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

void Directed::learn_batch() {
    for (const Planned& planned : batch_)
        if (planned.seen) search_.learn_orders(*planned.seen);
    search_.begin_batch();
}

// A batch is an eighth of all executions before. Many workers then seldom wait for each other.
void Directed::plan_batch() {
    constexpr std::uint64_t largest = 32, draws_one_of = 4;
    batch_begin_ = next_;
    batch_.assign(std::clamp<std::uint64_t>(next_ / 8, 1, largest), {});
    for (std::uint64_t i = 0; i < batch_.size(); ++i) {
        const std::uint64_t sample = batch_begin_ + i;
        if (sample == 0) continue;
        auto proposal = sample % draws_one_of == draws_one_of - 1 ? std::nullopt : search_.propose();
        batch_[i].is_drawn = !proposal;
        if (proposal) batch_[i].prefix = std::move(proposal->prefix);
    }
}

void Directed::learn(const Plan& plan, const Execution& execution) {
    CHECK(out_.erase(plan.id) == 1);
    replay_.begin(execution);
    replay_.feed_all();
    if (!totals_.record(plan, execution, replay_)) return;
    search_.learn_pasts(replay_.track());
    planned(plan.id).seen = execution.schedule();
}

void Directed::give_back(const Plan& plan) {
    CHECK(out_.erase(plan.id) == 1);
    again_.insert(plan.id);
}

Coverage Directed::coverage() const {
    Coverage coverage;
    totals_.report(coverage);
    coverage.in_flight = out_.size();
    coverage.frontier = again_.size() + (next_ < options_.samples ? options_.samples - next_ : 0);
    coverage.incomplete_because.emplace_back("a directed search does not see everything");
    return coverage;
}

void Directed::save(Writer& out) const {
    out.number(options_.seed);
    totals_.save(out);
    search_.save(out);
    out.number(next_);
    out.number(batch_begin_);
    out.number(batch_.size());
    for (const Planned& planned : batch_) {
        out.number((planned.is_drawn ? 1 : 0) + (planned.seen ? 2 : 0));
        save_schedule(out, planned.prefix);
        if (planned.seen) save_schedule(out, *planned.seen);
    }
    std::set<std::uint64_t> wanted = again_;
    wanted.insert(out_.begin(), out_.end());
    out.number(wanted.size());
    for (const std::uint64_t sample : wanted) out.number(sample);
}

// StrategyOptions::samples may be higher than at the time of saving: the executions so far are the first of them.
void Directed::load(Reader& in) {
    const std::uint64_t seed = in.number();
    if (seed != options_.seed)
        throw BadInput("saved search state: its samples were drawn with the seed " + std::to_string(seed) + ", not " +
                       std::to_string(options_.seed));
    totals_.load(in);
    search_.load(in);
    next_ = in.number();
    batch_begin_ = in.number();
    batch_.assign(in.count("number of executions in a batch"), {});
    for (Planned& planned : batch_) {
        const std::uint64_t bits = in.number_below(4, "the state of an execution");
        planned.is_drawn = (bits & 1) != 0;
        planned.prefix = load_schedule(in);
        if ((bits & 2) != 0) planned.seen = load_schedule(in);
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

std::unique_ptr<Strategy> make_directed(const StrategyOptions& options) { return std::make_unique<Directed>(options); }
std::unique_ptr<Strategy> make_directed_without(const StrategyOptions& options, BugPattern pattern) {
    return std::make_unique<Directed>(options, BugPatterns().without(pattern));
}

}  // namespace raddle
