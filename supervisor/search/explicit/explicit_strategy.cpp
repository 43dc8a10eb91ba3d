// The strategies cartesian and peephole: explicit searches (explicit_search.h) over the knowledge of the program.
//
// Idea: the search runs in memory (search/knowledge.h). The target runs only at an unknown past, and one execution
// serves the whole first descent below it. Rules:
//   * At an unknown past the strategy hands out a plan that leads there and waits, so one plan is out at a time.
//   * A bug that is found in memory is confirmed by an execution.
// Invariant: no graph is executed twice, because all its pasts are known after the first time.
// Risk: a program that is no function of its schedule contradicts the knowledge. The strategy reports this as
// nondeterminism and claims nothing from then on.
#include <deque>
#include <unordered_map>
#include <utility>

#include "supervisor/search/experience.h"
#include "supervisor/search/explicit/cartesian_search.h"
#include "supervisor/search/explicit/peephole_search.h"
#include "supervisor/search/saved_parts.h"
#include "supervisor/search/strategy.h"

namespace raddle {

namespace {

template <typename Search>
class ExplicitStrategy final : public Strategy {
public:
    explicit ExplicitStrategy(const StrategyOptions& options)
        : options_(options),
          experience_(options_, Experience::Keeps::graphs),
          walk_(options_.machine, experience_.knowledge()),
          search_(walk_) {}

    std::optional<Plan> next() override;
    void learn(const Plan& plan, const Execution& execution) override;
    void give_back(const Plan& plan) override;
    bool finished() const override { return is_done_ && wanted_.empty() && out_.empty(); }
    Coverage coverage() const override;
    std::optional<bool> has_seen(const Hash128& graph) const override { return experience_.has_seen(graph); }
    std::vector<Finding> take_findings() override { return experience_.take_findings(); }
    void save(Writer& out) const override;
    void load(Reader& in) override;

private:
    // A plan, and the past that it has to supply; zero if it confirms a bug.
    using Wanted = std::pair<Plan, Hash128>;

    std::optional<Plan> hand_out(Wanted wanted);
    Wanted plan_to(const Hash128& past, Schedule prefix);
    std::optional<Plan> search_on();
    void end();

    StrategyOptions options_;
    Experience experience_;
    Walk walk_;
    Search search_;
    bool is_searching_ = false;
    bool is_done_ = false;
    std::uint64_t plans_ = 0;
    std::unordered_map<std::uint64_t, Wanted> out_;  // by id
    std::deque<Wanted> wanted_;                      // given back, or bugs to confirm
};

template <typename Search>
std::optional<Plan> ExplicitStrategy<Search>::hand_out(Wanted wanted) {
    const Plan plan = wanted.first;
    out_[plan.id] = std::move(wanted);
    return plan;
}

template <typename Search>
auto ExplicitStrategy<Search>::plan_to(const Hash128& past, Schedule prefix) -> Wanted {
    Plan plan;
    plan.id = ++plans_;
    plan.prefix = std::move(prefix);
    plan.max_steps = options_.max_steps;
    return {std::move(plan), past};
}

template <typename Search>
std::optional<Plan> ExplicitStrategy<Search>::next() {
    while (!wanted_.empty()) {
        // The plan that is out may show the very graph whose bug was composed in memory.
        const bool confirms = wanted_.front().second == Hash128{};
        if (confirms && !out_.empty()) return std::nullopt;
        Wanted wanted = std::move(wanted_.front());
        wanted_.pop_front();
        if (!confirms || !experience_.was_executed(wanted.first.prefix)) return hand_out(std::move(wanted));
    }
    if (is_done_ || !out_.empty()) return std::nullopt;
    if (!walk_.begin()) return hand_out(plan_to(Knowledge::beginning, {}));
    return search_on();
}

template <typename Search>
std::optional<Plan> ExplicitStrategy<Search>::search_on() {
    if (!std::exchange(is_searching_, true)) search_.begin();
    for (;;) {
        switch (search_.advance()) {
            case ExplicitSearch::Stop::unknown:
                return hand_out(plan_to(walk_.track()[walk_.track().size() - 1].past, walk_.schedule()));
            case ExplicitSearch::Stop::leaf:
                experience_.note_leaf(walk_, 0, {});
                for (auto& [schedule, found_by] : std::exchange(experience_.to_confirm(), {}))
                    wanted_.push_back(plan_to({}, std::move(schedule)));
                if (!wanted_.empty()) return next();
                break;
            case ExplicitSearch::Stop::done: end(); return std::nullopt;
        }
    }
}

template <typename Search>
void ExplicitStrategy<Search>::end() {
    is_done_ = true;
    if (search_.met_thread_limit()) experience_.because(text_of(Verdict::thread_limit));
}

template <typename Search>
void ExplicitStrategy<Search>::learn(const Plan& plan, const Execution& execution) {
    const auto found = out_.find(plan.id);
    if (found == out_.end()) return;
    const Hash128 awaited = found->second.second;
    out_.erase(found);
    experience_.learn(execution, {});
    if (awaited == Hash128{} || experience_.supplied(awaited, execution)) return;
    if (awaited == Knowledge::beginning)
        is_done_ = true;
    else
        search_.give_up();
}

template <typename Search>
void ExplicitStrategy<Search>::give_back(const Plan& plan) {
    const auto found = out_.find(plan.id);
    if (found == out_.end()) return;
    wanted_.push_back(std::move(found->second));
    out_.erase(found);
}

template <typename Search>
Coverage ExplicitStrategy<Search>::coverage() const {
    Coverage coverage;
    experience_.report(coverage);
    coverage.in_flight = out_.size();
    coverage.frontier = wanted_.size();
    coverage.exhausted = finished() && experience_.reasons().empty();
    return coverage;
}

// The search itself is not saved: in memory it soon comes back to where it was.
template <typename Search>
void ExplicitStrategy<Search>::save(Writer& out) const {
    experience_.save_executions(out);
    out.number(plans_);
    out.number(is_done_ ? 1 : 0);
    experience_.knowledge().save(out);
    experience_.save_graphs(out);
    experience_.save_reasons(out);
    experience_.save_findings(out);
    std::vector<const Plan*> confirm;
    for (const auto& [plan, past] : wanted_)
        if (past == Hash128{}) confirm.push_back(&plan);
    for (const auto& [id, wanted] : out_)
        if (wanted.second == Hash128{}) confirm.push_back(&wanted.first);
    out.number(confirm.size());
    for (const Plan* plan : confirm) save_schedule(out, plan->prefix);
}

template <typename Search>
void ExplicitStrategy<Search>::load(Reader& in) {
    experience_.load_executions(in);
    plans_ = in.number();
    is_done_ = in.number_below(2, "whether the search is done") != 0;
    experience_.knowledge().load(in);
    experience_.load_graphs(in);
    experience_.load_reasons(in);
    experience_.load_findings(in);
    for (std::size_t left = in.count("number of plans"); left > 0; --left)
        wanted_.push_back(plan_to({}, load_schedule(in)));
}

}  // namespace

std::unique_ptr<Strategy> make_cartesian(const StrategyOptions& options) {
    return std::make_unique<ExplicitStrategy<CartesianSearch>>(options);
}

std::unique_ptr<Strategy> make_peephole(const StrategyOptions& options) {
    return std::make_unique<ExplicitStrategy<PeepholeSearch>>(options);
}

}  // namespace raddle
