// The strategy bounded, the default: fewest preemptions first, no graph twice.
//
// Idea: the bounded search (bounded_search.h) runs in memory over the knowledge of the program (search/knowledge.h).
// The target runs only at an unknown past, and one execution serves the whole first descent below it. Rules:
//   * A pass explores all graphs with at most `bound` preemptions. The next pass raises the bound by one.
//   * At an unknown past the strategy hands out a plan that leads there and waits, or goes around a past that another
//     plan will supply.
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
#include "supervisor/search/follower.h"
#include "supervisor/search/saved_parts.h"
#include "supervisor/search/search_totals.h"
#include "supervisor/search/strategy.h"

namespace raddle {

namespace {

class Bounded : public Strategy, private IncrementalState {
public:
    explicit Bounded(const StrategyOptions& options)
        : options_(options),
          apart_(options_.machine),
          follower_(apart_, &knowledge_),
          walk_(options_.machine, knowledge_),
          search_(walk_, options.memory_limit) {}

    std::optional<Plan> next() override;
    void learn(const Plan& plan, const Execution& execution) override;
    void give_back(const Plan& plan) override;
    bool finished() const override { return progress_.finished && wanted_.empty() && out_.empty(); }
    Coverage coverage() const override;
    std::optional<bool> has_seen(const Hash128& graph) const override { return graphs_.find(graph) != HashIndex::none; }
    std::vector<Finding> take_findings() override { return std::exchange(findings_, {}); }
    void save(Writer& out) const override;
    void load(Reader& in) override;
    std::unique_ptr<Strategy> outgrown(const Growth& growth) override;
    bool merge(const Strategy& other) override;
    bool has_incremental_state() const override { return true; }
    IncrementalState* incremental_state() override { return this; }

private:
    void record_changes() override;
    bool records_changes() const override { return knowledge_.records_changes(); }
    void take_changes(Writer& out) override;
    void save_summary(Writer& out) const override;
    void save_explored(Writer& out) const override { search_.save(out); }
    void load_summary(Reader& in) override;
    void load_changes(Reader& in) override;
    void load_explored(Reader& in) override { search_.load(in); }

    // The mark of a finished graph: executed, or only composed of known pasts.
    enum Seen : std::uint32_t { composed = 0, executed = 1 };

    std::optional<Plan> search_on();
    BoundedSearch::Stop go_on();
    Followed take_in(const Execution& execution, Hash128& graph);
    std::optional<Plan> hand_out(Schedule prefix, const Hash128& awaited);
    void note_leaf();
    bool was_executed_before(const Hash128& graph) const;
    void note_graph(const Hash128& graph, Seen how, const Schedule& schedule);
    void end_pass();
    bool all_is_known();
    void save_confirm(Writer& out) const;
    void load_confirm(Reader& in);
    void note_disagreement(const std::string& what, const Execution& execution);
    void because(const std::string& reason);

    StrategyOptions options_;
    Knowledge knowledge_;
    Track apart_;
    Follower follower_;  // for executions that the walk cannot go along with
    Walk walk_;
    BoundedSearch search_;
    std::optional<BoundedSearch::Stop> reached_;  // the search advanced to it while learning

    BoundProgress progress_;
    bool learned_in_pass_ = false;
    HashIndex graphs_;
    HashIndex executed_before_;                 // graphs of earlier epochs, with the last of these; some still exist
    std::vector<NumberedHash> changed_graphs_;  // with their marks
    std::uint64_t executions_ = 0;
    std::uint64_t next_id_ = 1;
    std::unordered_map<std::uint64_t, std::pair<Plan, Hash128>> out_;  // by id; with the past that it has to supply
    HashIndex awaited_;                                                // these pasts; 1 while out, 0 when back
    std::deque<std::pair<Plan, Hash128>> wanted_;                      // given back, or bugs to confirm
    std::vector<Finding> findings_;
    std::vector<std::string> reasons_;
};

std::optional<Plan> Bounded::next() {
    if (!wanted_.empty()) {
        auto [plan, past] = std::move(wanted_.front());
        wanted_.pop_front();
        out_[plan.id] = {plan, past};
        return plan;
    }
    if (progress_.finished) return std::nullopt;
    if (!walk_.begin()) {
        if (!out_.empty()) return std::nullopt;
        return hand_out({}, Knowledge::beginning);
    }
    return search_on();
}

std::optional<Plan> Bounded::search_on() {
    for (;;) {
        switch (go_on()) {
            case BoundedSearch::Stop::unknown: {
                const Hash128 past = walk_.track()[walk_.track().size() - 1].past;
                // It is known by now, or a plan that is out will supply it: go around it.
                if (knowledge_.has_learned(past) || awaited_.find(past) == 1) continue;
                return hand_out(walk_.schedule(), past);
            }
            case BoundedSearch::Stop::leaf:
                note_leaf();
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

std::optional<Plan> Bounded::hand_out(Schedule prefix, const Hash128& awaited) {
    Plan plan;
    plan.id = next_id_++;
    plan.prefix = std::move(prefix);
    plan.max_steps = options_.max_steps;
    awaited_.find_or_add(awaited, 1) = 1;
    out_[plan.id] = {plan, awaited};
    return plan;
}

void Bounded::note_leaf() {
    const Hash128 graph = walk_.track().graph();
    const bool fresh = graphs_.find(graph) == HashIndex::none;
    if (!fresh) return;
    const bool is_wanted = options_.execute_all || is_bug(verdict_of(walk_.machine()));
    const bool was_executed = !is_wanted && was_executed_before(graph);
    if (was_executed) ++executions_;
    note_graph(graph, was_executed ? executed : composed, options_.on_graph ? walk_.schedule() : Schedule{});
    if (!is_wanted) return;
    // An execution has to confirm a bug that was found in memory.
    Plan plan;
    plan.id = next_id_++;
    plan.prefix = walk_.schedule();
    plan.max_steps = options_.max_steps;
    wanted_.emplace_back(std::move(plan), Hash128{});
}

// The graph at the end of the walk was executed in an earlier epoch, and all its events are those of that epoch.
bool Bounded::was_executed_before(const Hash128& graph) const {
    const std::uint32_t epoch = executed_before_.find(graph);
    if (epoch == HashIndex::none) return false;
    const Track& track = walk_.track();
    for (Position i = 0; i < track.size(); ++i)
        if (track[i].since > epoch) return false;
    return true;
}

void Bounded::note_graph(const Hash128& graph, Seen how, const Schedule& schedule) {
    if (std::uint32_t& seen = graphs_.find_or_add(graph, HashIndex::none); seen == HashIndex::none) {
        seen = how;
        if (options_.on_graph) options_.on_graph(schedule);
    } else if ((seen | how) != seen) {
        seen |= how;
    } else {
        return;
    }
    if (records_changes()) changed_graphs_.push_back({graph.low, static_cast<std::uint32_t>(graph.high), how});
}

void Bounded::end_pass() {
    if (search_.unfinished()) return;
    if (reasons_.empty()) progress_.complete_to = progress_.bound;
    progress_.exhausted = reasons_.empty() && (!search_.cut() || all_is_known());
    if (progress_.exhausted || !reasons_.empty() || progress_.at_last(options_))
        progress_.finished = true;
    else
        ++progress_.bound;
}

bool Bounded::all_is_known() {
    const auto seen = [this](const Hash128& graph) { return graphs_.find(graph) != HashIndex::none; };
    // The optimal search explores more than limited patience allows, and knows no values.
    const bool in_order = walk_.track().goes_by_value() || options_.machine.limits_patience();
    return in_order ? every_view_is_known(walk_, options_.memory_limit, seen) : every_graph_is_known(walk_, seen);
}

void Bounded::learn(const Plan& plan, const Execution& execution) {
    Hash128 awaited{};
    if (const auto found = out_.find(plan.id); found != out_.end()) {
        awaited = found->second.second;
        out_.erase(found);
    }
    if (awaited != Hash128{}) awaited_.find_or_add(awaited, 0) = 0;
    ++executions_;
    learned_in_pass_ = true;

    Hash128 graph{};
    const Followed followed = take_in(execution, graph);
    if (followed.contradiction) note_disagreement(*followed.contradiction, execution);
    if (!followed.agrees || execution.verdict == Verdict::diverged) {
        note_disagreement(followed.agrees ? execution.message : followed.disagreement, execution);
    } else if (execution.verdict == Verdict::step_limit || execution.verdict == Verdict::uncontrolled ||
               execution.verdict == Verdict::abandoned || execution.verdict == Verdict::stopped) {
        because(text_of(execution.verdict));
    } else {
        note_graph(graph, executed, options_.on_graph ? execution.schedule() : Schedule{});
    }
    if (!execution.cut_short.empty()) because(execution.cut_short);
    if (apart_.machine().thread_count() > ThreadSet::capacity) {
        because("more threads than can be searched exhaustively (" + std::to_string(ThreadSet::capacity) + ")");
        progress_.finished = true;
    }
    // The execution did not supply its past: the program ended or was cut right there, so nothing ever will.
    if (awaited != Hash128{} && !knowledge_.has_learned(awaited)) {
        if (awaited == Knowledge::beginning)
            progress_.finished = true;
        else
            search_.give_up_past(awaited);
        if (!is_bug(execution.verdict)) because("an execution ended before it did what it was run for");
    }
    if (is_bug(execution.verdict))
        findings_.push_back(
            {execution.verdict, follower_.preemptions(execution), execution.schedule(), execution.message});
}

// Learns from the execution. If the search waits for just this execution, its walk goes along.
Followed Bounded::take_in(const Execution& execution, Hash128& graph) {
    if (!reached_ && search_.at_unknown() && walk_.follow(execution, ThreadSet::capacity)) {
        reached_ = search_.advance();
        walk_.learn_the_rest();
        graph = walk_.followed_graph();
        return walk_.followed();
    }
    const Followed followed = follower_.follow(execution);
    graph = apart_.graph();
    return followed;
}

void Bounded::note_disagreement(const std::string& what, const Execution& execution) {
    because("nondeterminism: " + what);
    findings_.push_back({Verdict::diverged, 0, execution.schedule(), what});
}

void Bounded::give_back(const Plan& plan) {
    const auto found = out_.find(plan.id);
    if (found == out_.end()) return;
    wanted_.push_back(std::move(found->second));
    out_.erase(found);
}

void Bounded::because(const std::string& reason) {
    if (std::find(reasons_.begin(), reasons_.end(), reason) == reasons_.end()) reasons_.push_back(reason);
}

Coverage Bounded::coverage() const {
    Coverage coverage;
    coverage.executions = executions_;
    coverage.graphs = graphs_.size();
    coverage.in_flight = out_.size();
    coverage.frontier = wanted_.size();
    progress_.report(coverage);
    coverage.incomplete_because = reasons_;
    return coverage;
}

// ---- saving

void Bounded::save(Writer& out) const {
    progress_.save(out);
    out.number(executions_);
    out.number(next_id_);
    knowledge_.save(out);
    out.number(graphs_.size());
    graphs_.each([&](const Hash128& graph, std::uint32_t how) {
        save_hash(out, graph);
        out.number(how);
    });
    save_confirm(out);
    out.number(reasons_.size());
    for (const std::string& reason : reasons_) out.text(reason);
    search_.save(out);
    save_findings(out, findings_);
    out.number(executed_before_.size());
    executed_before_.each([&](const Hash128& graph, std::uint32_t epoch) {
        save_hash(out, graph);
        out.number(epoch);
    });
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
    for (std::size_t left = in.count("number of plans"); left > 0; --left) {
        Plan plan;
        plan.id = next_id_++;
        plan.prefix = load_schedule(in);
        plan.max_steps = options_.max_steps;
        wanted_.emplace_back(std::move(plan), Hash128{});
    }
}

void Bounded::load(Reader& in) {
    progress_.load(in);
    executions_ = in.number();
    next_id_ = in.number();
    knowledge_.load(in);
    const std::size_t graphs = in.count("number of graphs");
    for (std::size_t i = 0; i < graphs; ++i) {
        const Hash128 graph = load_hash(in);
        graphs_.find_or_add(graph, static_cast<std::uint32_t>(in.number_below(2, "graph mark")));
    }
    load_confirm(in);
    const std::size_t reasons = in.count("number of reasons");
    for (std::size_t i = 0; i < reasons; ++i) reasons_.push_back(in.text());
    search_.load(in);
    findings_ = load_findings(in);
    for (std::size_t left = in.count("number of earlier graphs"); left > 0; --left) {
        const Hash128 graph = load_hash(in);
        executed_before_.find_or_add(graph, 0) =
            static_cast<std::uint32_t>(in.number_below(std::uint64_t{knowledge_.epoch()} + 1, "epoch"));
    }
    if (reasons_.empty()) progress_.go_further(options_);
}

// ---- in pieces

void Bounded::record_changes() {
    knowledge_.record_changes();
    changed_graphs_.clear();
}

void Bounded::take_changes(Writer& out) {
    save_numbered(out, changed_graphs_);
    knowledge_.take_changes(out);
    changed_graphs_.clear();
}

void Bounded::load_changes(Reader& in) {
    for (const NumberedHash& graph : load_numbered(in, 2))
        graphs_.find_or_add({graph.low, graph.high}, composed) |= graph.number;
    knowledge_.load_changes(in);
}

void Bounded::save_summary(Writer& out) const {
    progress_.save(out);
    out.number(executions_);
    out.number(next_id_);
    out.number(graphs_.size());
    out.number(knowledge_.size());
    search_.save_given_up(out);
    save_confirm(out);
    out.number(reasons_.size());
    for (const std::string& reason : reasons_) out.text(reason);
    save_findings(out, findings_);
}

void Bounded::load_summary(Reader& in) {
    progress_ = {};
    progress_.load(in);
    executions_ = in.number();
    next_id_ = in.number();
    constexpr std::uint64_t most = HashIndex::none;
    graphs_.reserve(in.number_below(most, "number of graphs"));
    knowledge_.reserve(in.number_below(most, "number of pasts"));
    search_.load_given_up(in);
    wanted_.clear();
    load_confirm(in);
    reasons_.clear();
    for (std::size_t left = in.count("number of reasons"); left > 0; --left) reasons_.push_back(in.text());
    findings_ = load_findings(in);
    if (reasons_.empty()) progress_.go_further(options_);
}

// Only pasts stay. All else names events, which may have other names now: the new search finds graphs and nodes again
// in memory, and counts executions as its own whose graphs it meets unchanged. A past that nothing followed is tried
// again, as its execution may have ended by a bug. Doubts end everything, because the knowledge may be wrong.
std::unique_ptr<Strategy> Bounded::outgrown(const Growth& growth) {
    if (!reasons_.empty() || walk_.track().goes_by_value()) return nullptr;
    auto next = std::make_unique<Bounded>(options_);
    next->knowledge_ = std::move(knowledge_);
    next->knowledge_.outgrow(growth);
    const Knowledge::Epoch epoch = next->knowledge_.epoch() - 1;
    next->executed_before_ = std::move(executed_before_);
    graphs_.each([&](const Hash128& graph, std::uint32_t how) {
        if (how == executed) next->executed_before_.find_or_add(graph, epoch) = epoch;
    });
    next->next_id_ = next_id_;
    next->findings_ = std::move(findings_);
    return next;
}

// Executions of one graph count once. Executions without a graph are few, and count as different.
bool Bounded::merge(const Strategy& strategy) {
    const auto* other = dynamic_cast<const Bounded*>(&strategy);
    if (other == nullptr || !out_.empty() || !other->out_.empty()) return false;
    // A pass that is under way must end: its result would not hold for both.
    search_.leave_pass();
    reached_.reset();
    if (!knowledge_.merge(other->knowledge_))
        because("nondeterminism: two searches saw different actions after one past");
    std::uint64_t in_both = 0;
    other->graphs_.each([&](const Hash128& graph, std::uint32_t how) {
        std::uint32_t& seen = graphs_.find_or_add(graph, composed);
        in_both += seen & how & executed;
        seen |= how;
    });
    executions_ += other->executions_ - in_both;
    next_id_ = std::max(next_id_, other->next_id_);
    for (const auto& [plan, past] : other->wanted_) {
        const auto is_same = [&prefix = plan.prefix](const auto& one) { return one.first.prefix == prefix; };
        if (past != Hash128{} || std::any_of(wanted_.begin(), wanted_.end(), is_same)) continue;
        wanted_.emplace_back(plan, past);
        wanted_.back().first.id = next_id_++;
    }
    for (const std::string& reason : other->reasons_) because(reason);
    findings_.insert(findings_.end(), other->findings_.begin(), other->findings_.end());
    search_.give_up_as(other->search_);
    progress_.merge(other->progress_, options_, !reasons_.empty());
    return true;
}

}  // namespace

std::unique_ptr<Strategy> make_bounded(const StrategyOptions& options) { return std::make_unique<Bounded>(options); }

}  // namespace raddle
