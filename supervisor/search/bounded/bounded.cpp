// The strategy bounded: fewest preemptions first, no graph twice.
//
// Idea: the bounded search (bounded_search.h) runs in memory over the knowledge of the program (search/knowledge.h).
// The target runs only at an unknown past, and one execution serves the whole first descent below it. Rules:
//   * A pass explores all graphs with at most `bound` preemptions. The next pass raises the bound by one.
//   * At an unknown past the strategy hands out a plan that leads there and waits. It goes around the past if the plan
//     could end in the graph of a plan that is out (search/plans_out.h).
//   * A bug that is found in memory is confirmed by an execution.
//   * After a pass that cut schedules for their preemptions, the exhaustion check (search/exhaustion.h) asks another
//     search if there are more graphs at all.
// Invariant: `complete_to` rises only after a pass without unknown pasts and without reasons for incompleteness.
// Risks: a program that is no function of its schedule contradicts the knowledge. The strategy reports this as
// nondeterminism and claims nothing from then on.
#include <algorithm>
#include <deque>
#include <unordered_map>
#include <utility>

#include "supervisor/search/bound_progress.h"
#include "supervisor/search/bounded/bounded_search.h"
#include "supervisor/search/exhaustion.h"
#include "supervisor/search/experience.h"
#include "supervisor/search/plans_out.h"
#include "supervisor/search/saved_parts.h"
#include "supervisor/search/strategy.h"

namespace raddle {

namespace {

class Bounded : public Strategy, private IncrementalState {
public:
    explicit Bounded(const StrategyOptions& options)
        : options_(options),
          experience_(options_, Experience::Keeps::graphs),
          walk_(options_.machine, experience_.knowledge()),
          search_(walk_, options.memory_limit) {}

    std::optional<Plan> next() override;
    void learn(const Plan& plan, const Execution& execution) override;
    void give_back(const Plan& plan) override;
    bool finished() const override { return (progress_.finished || is_full_) && wanted_.empty() && out_.empty(); }
    Coverage coverage() const override;
    std::optional<bool> has_seen(const Hash128& graph) const override { return experience_.has_seen(graph); }
    std::vector<Finding> take_findings() override { return experience_.take_findings(); }
    void save(Writer& out) const override;
    void load(Reader& in) override;
    std::unique_ptr<Strategy> outgrown(const Growth& growth) override;
    bool merge(const Strategy& other) override;
    bool has_incremental_state() const override { return true; }
    IncrementalState* incremental_state() override { return this; }

private:
    void record_changes() override { experience_.record_changes(); }
    bool records_changes() const override { return experience_.records_changes(); }
    void take_changes(Writer& out) override { experience_.take_changes(out); }
    void save_summary(Writer& out) const override;
    void save_explored(Writer& out) const override { search_.save(out); }
    void load_summary(Reader& in) override;
    void load_changes(Reader& in) override { experience_.load_changes(in); }
    void load_explored(Reader& in) override { search_.load(in); }

    std::optional<Plan> search_on();
    BoundedSearch::Stop go_on();
    void take_in(const Execution& execution);
    Plan plan_of(Schedule prefix);
    std::optional<Plan> hand_out(const Hash128& awaited);
    void want_confirmations();
    void end_pass();
    bool all_is_known();
    void save_confirm(Writer& out) const;
    void load_confirm(Reader& in);

    StrategyOptions options_;
    Experience experience_;
    Walk walk_;
    BoundedSearch search_;
    std::optional<BoundedSearch::Stop> reached_;  // the search advanced to it while learning

    BoundProgress progress_;
    bool learned_in_pass_ = false;
    bool is_full_ = false;  // half of the memory is for what was learned
    std::uint64_t next_id_ = 1;
    std::unordered_map<std::uint64_t, std::pair<Plan, Hash128>> out_;  // by id; with the past that it has to supply
    PlansOut plans_out_;                                               // those that lead to an unknown past
    std::deque<std::pair<Plan, Hash128>> wanted_;                      // given back, or bugs to confirm
};

std::optional<Plan> Bounded::next() {
    while (!wanted_.empty()) {
        // A plan that is out may show the very graph whose bug was composed in memory.
        const bool confirms = wanted_.front().second == Hash128{};
        if (confirms && !out_.empty()) return std::nullopt;
        auto [plan, past] = std::move(wanted_.front());
        wanted_.pop_front();
        if (confirms && experience_.was_executed(plan.prefix)) continue;
        out_[plan.id] = {plan, past};
        return plan;
    }
    is_full_ = experience_.used_bytes() > options_.memory_limit / 2;
    if (progress_.finished || is_full_) return std::nullopt;
    if (!walk_.begin()) {
        if (!out_.empty()) return std::nullopt;
        return hand_out(Knowledge::beginning);
    }
    return search_on();
}

std::optional<Plan> Bounded::search_on() {
    for (;;) {
        switch (go_on()) {
            case BoundedSearch::Stop::unknown: {
                const Hash128 past = walk_.track()[walk_.track().size() - 1].past;
                // It is known by now, or a plan that is out may lead to the same graph: go around it.
                if (experience_.knowledge().has_learned(past) || !plans_out_.are_apart_from(walk_.track())) continue;
                return hand_out(past);
            }
            case BoundedSearch::Stop::leaf:
                experience_.note_leaf(walk_, search_.preemptions(), {});
                want_confirmations();
                if (!wanted_.empty()) return next();
                break;
            case BoundedSearch::Stop::done:
                end_pass();
                if (progress_.finished) return std::nullopt;
                if (search_.unfinished() && !learned_in_pass_ && !search_.must_repeat()) return std::nullopt;
                break;
        }
    }
}

BoundedSearch::Stop Bounded::go_on() {
    if (reached_) return *std::exchange(reached_, std::nullopt);
    if (!search_.in_pass()) {
        search_.begin_pass(progress_.bound);
        learned_in_pass_ = false;
    }
    return search_.advance();
}

Plan Bounded::plan_of(Schedule prefix) {
    Plan plan;
    plan.id = next_id_++;
    plan.prefix = std::move(prefix);
    plan.max_steps = options_.max_steps;
    return plan;
}

std::optional<Plan> Bounded::hand_out(const Hash128& awaited) {
    const bool is_first = awaited == Knowledge::beginning;
    Plan plan = plan_of(is_first ? Schedule{} : walk_.schedule());
    plans_out_.add(plan.id, walk_.track());
    out_[plan.id] = {plan, awaited};
    return plan;
}

void Bounded::want_confirmations() {
    for (auto& [schedule, found_by] : std::exchange(experience_.to_confirm(), {}))
        wanted_.emplace_back(plan_of(std::move(schedule)), Hash128{});
}

void Bounded::end_pass() {
    if (search_.unfinished()) return;
    const bool is_limited = search_.met_thread_limit();
    if (is_limited) experience_.because(text_of(Verdict::thread_limit));
    const std::size_t reasons = experience_.reasons().size();
    if (reasons == 0) progress_.complete_to = progress_.bound;
    progress_.exhausted = reasons == 0 && (!search_.cut() || all_is_known());
    // Schedules with more preemptions may have bugs, though nothing will be claimed.
    const bool goes_on = reasons == 0 || (reasons == 1 && is_limited && search_.cut());
    if (progress_.exhausted || !goes_on || progress_.at_last(options_))
        progress_.finished = true;
    else
        ++progress_.bound;
}

bool Bounded::all_is_known() {
    const auto seen = [this](const Hash128& graph) { return experience_.has_seen(graph); };
    return search_.needs_order() ? every_view_is_known(walk_, options_.memory_limit, seen)
                                 : every_graph_is_known(walk_, seen);
}

void Bounded::learn(const Plan& plan, const Execution& execution) {
    Hash128 awaited{};
    if (const auto found = out_.find(plan.id); found != out_.end()) {
        awaited = found->second.second;
        out_.erase(found);
    }
    plans_out_.remove(plan.id);
    learned_in_pass_ = true;
    take_in(execution);
    if (experience_.has_too_many_threads()) {
        experience_.because("more threads than can be searched exhaustively (" + std::to_string(ThreadSet::capacity) +
                            ")");
        progress_.finished = true;
    }
    // The execution did not supply its past: the program ended or was cut right there, so nothing ever will.
    if (awaited == Hash128{} || experience_.supplied(awaited, execution)) return;
    if (awaited == Knowledge::beginning)
        progress_.finished = true;
    else
        search_.give_up_past(awaited);
}

// Learns from the execution. If the search waits for just this execution, its walk goes along.
void Bounded::take_in(const Execution& execution) {
    if (reached_ || !search_.at_unknown() || !walk_.follow(execution, ThreadSet::capacity))
        return experience_.learn(execution, {});
    reached_ = search_.advance();
    walk_.learn_the_rest();
    experience_.learn(execution, walk_.followed(), walk_.followed_graph(), {});
}

void Bounded::give_back(const Plan& plan) {
    const auto found = out_.find(plan.id);
    if (found == out_.end()) return;
    wanted_.push_back(std::move(found->second));
    out_.erase(found);
}

Coverage Bounded::coverage() const {
    Coverage coverage;
    experience_.report(coverage);
    coverage.in_flight = out_.size();
    coverage.frontier = wanted_.size();
    progress_.report(coverage);
    if (is_full_ && !progress_.finished) coverage.incomplete_because.emplace_back(memory_used_up);
    return coverage;
}

// ---- saving

void Bounded::save(Writer& out) const {
    progress_.save(out);
    experience_.save_executions(out);
    out.number(next_id_);
    experience_.knowledge().save(out);
    experience_.save_graphs(out);
    save_confirm(out);
    experience_.save_reasons(out);
    search_.save(out);
    experience_.save_findings(out);
    experience_.save_earlier(out);
}

// Saves the bugs to confirm, wanted and out. Plans for unknown pasts are not saved: the search asks for them again.
void Bounded::save_confirm(Writer& out) const {
    std::vector<const Plan*> confirm;
    for (const auto& [plan, past] : wanted_)
        if (past == Hash128{}) confirm.push_back(&plan);
    for (const auto& [id, plan] : out_)
        if (plan.second == Hash128{}) confirm.push_back(&plan.first);
    out.number(confirm.size());
    for (const Plan* plan : confirm) save_schedule(out, plan->prefix);
}

void Bounded::load_confirm(Reader& in) {
    for (std::size_t left = in.count("number of plans"); left > 0; --left)
        wanted_.emplace_back(plan_of(load_schedule(in)), Hash128{});
}

void Bounded::load(Reader& in) {
    progress_.load(in);
    experience_.load_executions(in);
    next_id_ = in.number();
    experience_.knowledge().load(in);
    experience_.load_graphs(in);
    load_confirm(in);
    experience_.load_reasons(in);
    search_.load(in);
    experience_.load_findings(in);
    experience_.load_earlier(in);
    if (experience_.reasons().empty()) progress_.go_further(options_);
}

// ---- in pieces

void Bounded::save_summary(Writer& out) const {
    progress_.save(out);
    experience_.save_executions(out);
    out.number(next_id_);
    experience_.save_sizes(out);
    search_.save_given_up(out);
    save_confirm(out);
    experience_.save_reasons(out);
    experience_.save_findings(out);
}

void Bounded::load_summary(Reader& in) {
    progress_ = {};
    progress_.load(in);
    experience_.load_executions(in);
    next_id_ = in.number();
    experience_.load_sizes(in);
    search_.load_given_up(in);
    wanted_.clear();
    load_confirm(in);
    experience_.load_reasons(in);
    experience_.load_findings(in);
    if (experience_.reasons().empty()) progress_.go_further(options_);
}

// All but the experience names events, which may have other names now: the new search finds nodes again in memory. A
// past that nothing followed is tried again, as its execution may have ended by a bug. Doubts end everything, because
// the knowledge may be wrong.
std::unique_ptr<Strategy> Bounded::outgrown(const Growth& growth) {
    if (!experience_.reasons().empty() || walk_.track().goes_by_value()) return nullptr;
    auto next = std::make_unique<Bounded>(options_);
    next->experience_.outgrow(experience_, growth);
    next->next_id_ = next_id_;
    return next;
}

// Executions without a graph are few, and count as different.
bool Bounded::merge(const Strategy& strategy) {
    const auto* other = dynamic_cast<const Bounded*>(&strategy);
    if (other == nullptr || !out_.empty() || !other->out_.empty()) return false;
    // A pass that is under way must end: its result would not hold for both.
    search_.leave_pass();
    reached_.reset();
    experience_.merge(other->experience_);
    next_id_ = std::max(next_id_, other->next_id_);
    for (const auto& [plan, past] : other->wanted_) {
        const auto is_same = [&prefix = plan.prefix](const auto& one) { return one.first.prefix == prefix; };
        if (past != Hash128{} || std::any_of(wanted_.begin(), wanted_.end(), is_same)) continue;
        wanted_.emplace_back(plan, past);
        wanted_.back().first.id = next_id_++;
    }
    search_.give_up_as(other->search_);
    progress_.merge(other->progress_, options_, !experience_.reasons().empty());
    return true;
}

}  // namespace

std::unique_ptr<Strategy> make_bounded(const StrategyOptions& options) { return std::make_unique<Bounded>(options); }

}  // namespace raddle
