// The strategy cb-por: context-bounded search over happens-before graphs.
//
// Idea: Musuvathi and Qadeer, "Partial-order reduction for context-bounded state exploration", MSR-TR-2007-12,
// Algorithm 2. A state is a graph. Its bound is the least number of preemptions over all its linearisations.
// Rules:
//   * A step is taken if the bound of the graph after it, with this step as the last one, is within the bound.
//   * A step is not taken if it leads to a marked state: all finished graphs beyond such a state were seen.
//   * A finished graph is marked. So is every state before it whose steps within the bound all lead to marked states.
//   * States are walked in memory. The target runs only at an unknown past.
// Invariant: each finished graph within the bound is reached. The result is exact.
// Risk: it is slow, as it visits every state before a finished one. It serves as an independent check of `bounded`.
#include <algorithm>
#include <unordered_map>
#include <utility>

#include "supervisor/search/bound_progress.h"
#include "supervisor/search/exhaustion.h"
#include "supervisor/search/follower.h"
#include "supervisor/search/saved_parts.h"
#include "supervisor/search/search_totals.h"
#include "supervisor/search/walk.h"
#include "supervisor/trace/preemptions.h"

namespace raddle {

namespace {

struct WalkStep {
    ThreadSlot thread;
    std::uint32_t value;
    friend bool operator==(const WalkStep&, const WalkStep&) = default;
};
using Line = std::vector<WalkStep>;

class CbPor : public Strategy {
public:
    explicit CbPor(const StrategyOptions& options)
        : options_(options),
          counting_(without_on_graph(options)),
          totals_(counting_),
          replay_(options.machine),
          track_(options.machine),
          walk_(options.machine, knowledge_) {}

    std::optional<Plan> next() override;
    void learn(const Plan& plan, const Execution& execution) override;
    void give_back(const Plan& plan) override {
        if (out_ && out_->id == plan.id) again_ = std::exchange(out_, std::nullopt);
    }
    bool finished() const override { return progress_.finished && !out_ && !again_; }
    Coverage coverage() const override;
    std::optional<bool> has_seen(const Hash128& graph) const override { return graphs_.contains(graph); }
    std::vector<Finding> take_findings() override { return std::exchange(findings_, {}); }
    void save(Writer& out) const override;
    void load(Reader& in) override;

private:
    enum class Reached { unknown, finished_graph, nothing_left };

    Reached descend();
    void mark(Line line);
    void go_to(const Line& line);
    Line line() const;
    bool is_marked_after(WalkStep step);
    std::uint32_t bound_of(WalkStep step);
    const std::vector<std::pair<ThreadSlot, std::uint32_t>>& bounds_by_last();
    bool is_last_in_some_line(ThreadSlot thread) const;
    Line without_last_of(ThreadSlot thread) const;
    void note_graph();
    void end_bound();
    template <typename Do>
    void each_step(Do&& act);

    // on_graph is called for graphs found in memory; the totals must not call it again for executions.
    static StrategyOptions without_on_graph(StrategyOptions options) {
        options.on_graph = nullptr;
        return options;
    }

    StrategyOptions options_, counting_;
    SearchTotals totals_;
    std::vector<Finding> findings_;
    ReplayMachine replay_;
    Knowledge knowledge_;
    Track track_;
    Follower follower_{track_, &knowledge_};
    Walk walk_;
    BoundProgress progress_;
    bool cut_ = false;  // a step was left out for its preemptions
    std::uint64_t next_id_ = 1;
    std::optional<Plan> out_, again_;
    Graphs marked_;    // H in the paper, for the current bound
    Graphs graphs_;    // the finished graphs of all bounds
    Graphs executed_;  // the executed ones among them; the others are composed of known pasts
    // By graph: for each thread that can come last, the least number of preemptions of a line that ends with it.
    std::unordered_map<Hash128, std::vector<std::pair<ThreadSlot, std::uint32_t>>, HashOfHash> bounds_;
};

std::optional<Plan> CbPor::next() {
    if (again_) return out_ = std::exchange(again_, std::nullopt);
    if (progress_.finished || out_) return std::nullopt;
    Plan plan;
    plan.id = next_id_++;
    plan.max_steps = options_.max_steps;
    if (!walk_.begin()) return out_ = plan;
    for (;;) {
        switch (descend()) {
            case Reached::unknown: plan.prefix = walk_.schedule(); return out_ = plan;
            case Reached::finished_graph: {
                note_graph();
                const bool matters = options_.execute_all || is_bug(verdict_of(walk_.machine()));
                const bool confirm = matters && !executed_.contains(walk_.track().graph());
                if (confirm)
                    plan.prefix = walk_.schedule();  // an execution has to confirm a bug that was found in memory
                mark(line());
                if (confirm) return out_ = plan;
                break;
            }
            case Reached::nothing_left:
                end_bound();
                if (progress_.finished) return std::nullopt;
                break;
        }
    }
}

// Walks from the beginning to an unseen finished graph or to an unknown past. A state is entered only if it has a step
// to continue with.
CbPor::Reached CbPor::descend() {
    walk_.track().pop_to(0);
    if (marked_.contains(walk_.track().graph())) return Reached::nothing_left;
    for (;;) {
        std::optional<WalkStep> chosen;
        bool anyone = false;
        each_step([&](WalkStep step) {
            anyone = true;
            if (chosen || is_marked_after(step)) return;
            if (bound_of(step) > progress_.bound)
                cut_ = true;
            else
                chosen = step;
        });
        if (!anyone) return Reached::finished_graph;
        if (!chosen) return Reached::nothing_left;
        if (!walk_.step(chosen->thread, chosen->value)) return Reached::unknown;
    }
}

template <typename Do>
void CbPor::each_step(Do&& act) {
    for (ThreadSlot thread = 0; thread < walk_.machine().thread_count(); ++thread)
        for (std::uint32_t value = 0; value < walk_.machine().alternatives(thread).count; ++value)
            act(WalkStep{thread, value});
}

bool CbPor::is_marked_after(WalkStep step) {
    walk_.track().push(step.thread, step.value);
    const bool marked = marked_.contains(walk_.track().graph());
    walk_.track().pop();
    return marked;
}

// Marks the graph of this line, and each graph before it whose steps within the bound all lead to marked graphs.
void CbPor::mark(Line first) {
    std::vector<Line> todo{std::move(first)};
    while (!todo.empty()) {
        const Line state = std::move(todo.back());
        todo.pop_back();
        go_to(state);
        if (!marked_.insert(walk_.track().graph()).second) continue;
        for (ThreadSlot thread = 0; thread < walk_.machine().thread_count(); ++thread) {
            go_to(state);
            if (!is_last_in_some_line(thread)) continue;
            const WalkStep step{thread, walk_.track()[walk_.track().last_of(thread)].value};
            Line before = without_last_of(thread);
            go_to(before);
            if (marked_.contains(walk_.track().graph()) || bound_of(step) > progress_.bound) continue;
            bool all = true;
            each_step([&](WalkStep other) {
                if (!all || is_marked_after(other)) return;
                (bound_of(other) > progress_.bound ? cut_ : all) = bound_of(other) > progress_.bound;
            });
            if (all) todo.push_back(std::move(before));
        }
    }
}

// ---- the least number of preemptions, by dynamic programming over earlier graphs

std::uint32_t CbPor::bound_of(WalkStep step) {
    if (walk_.track().size() == 0) return walk_.machine().cost(no_slot, step.thread, step.value);
    std::uint32_t least = ~0u;
    for (const auto& [last, preemptions] : bounds_by_last())
        least = std::min(least, preemptions + walk_.machine().cost(last, step.thread, step.value));
    return least;
}

const std::vector<std::pair<ThreadSlot, std::uint32_t>>& CbPor::bounds_by_last() {
    const Hash128 graph = walk_.track().graph();
    if (const auto known = bounds_.find(graph); known != bounds_.end()) return known->second;
    const Line here = line();
    std::vector<std::pair<ThreadSlot, std::uint32_t>> bounds;
    for (ThreadSlot thread = 0; thread < walk_.machine().thread_count(); ++thread) {
        if (!is_last_in_some_line(thread)) continue;
        const WalkStep step{thread, walk_.track()[walk_.track().last_of(thread)].value};
        go_to(without_last_of(thread));
        bounds.emplace_back(thread, bound_of(step));
        go_to(here);
    }
    return bounds_.emplace(graph, std::move(bounds)).first->second;
}

// The thread's last event happens before no other.
bool CbPor::is_last_in_some_line(ThreadSlot thread) const {
    const Track& track = walk_.track();
    const Position last = track.last_of(thread);
    if (last == nowhere) return false;
    for (Position i = last + 1; i < track.size(); ++i)
        if (track.before(last, i)) return false;
    return true;
}

Line CbPor::without_last_of(ThreadSlot thread) const {
    Line shorter = line();
    shorter.erase(shorter.begin() + walk_.track().last_of(thread));
    return shorter;
}

Line CbPor::line() const {
    Line line(walk_.track().size());
    for (Position i = 0; i < walk_.track().size(); ++i) line[i] = {walk_.track()[i].thread, walk_.track()[i].value};
    return line;
}

void CbPor::go_to(const Line& line) {
    Track& track = walk_.track();
    Position shared = 0;
    while (shared < line.size() && shared < track.size() &&
           line[shared] == WalkStep{track[shared].thread, track[shared].value})
        ++shared;
    track.pop_to(shared);
    for (Position i = shared; i < line.size(); ++i) walk_.step(line[i].thread, line[i].value);
}

// ---- results

void CbPor::note_graph() {
    if (graphs_.insert(walk_.track().graph()).second && options_.on_graph) options_.on_graph(walk_.schedule());
}

void CbPor::end_bound() {
    if (!totals_.incomplete()) progress_.complete_to = progress_.bound;
    const auto seen = [this](const Hash128& graph) { return graphs_.contains(graph); };
    progress_.exhausted = !totals_.incomplete() && (!cut_ || every_graph_is_known(walk_, seen));
    progress_.finished = progress_.exhausted || totals_.incomplete() || progress_.at_last(options_);
    if (progress_.finished) return;
    ++progress_.bound;
    marked_.clear();
    cut_ = false;
}

void CbPor::learn(const Plan& plan, const Execution& execution) {
    if (!out_ || out_->id != plan.id) return;
    const bool first = !walk_.begin();
    out_.reset();
    replay_.begin(execution);
    replay_.feed_all();
    const bool whole = totals_.record(plan, execution, replay_);
    const std::size_t known = knowledge_.size();
    for (Finding& finding : totals_.take_findings()) findings_.push_back(std::move(finding));
    const std::optional<std::string>& contradiction = follower_.follow(execution).contradiction;
    if (contradiction) totals_.note_incomplete(*contradiction);
    const bool confirmed = !executed_.insert(track_.graph()).second || marked_.contains(track_.graph());
    const bool told_nothing = knowledge_.size() == known && !first && !confirmed;
    if (whole && told_nothing) totals_.note_incomplete("an execution ended before it did what it was run for");
    progress_.finished = !whole || contradiction || told_nothing;
    // The executed line may have more preemptions than the graph needs.
    if (whole && is_bug(execution.verdict))
        if (const auto least = least_preemptions(track_)) findings_.back().preemptions = *least;
}

Coverage CbPor::coverage() const {
    Coverage coverage;
    totals_.report(coverage);
    coverage.graphs = graphs_.size();
    coverage.in_flight = out_ ? 1 : 0;
    coverage.frontier = again_ ? 1 : 0;
    progress_.report(coverage);
    return coverage;
}

// Marks are not saved: a loaded search finds them again in memory.
void CbPor::save(Writer& out) const {
    progress_.save(out);
    out.number(next_id_);
    totals_.save(out);
    save_findings(out, findings_);
    knowledge_.save(out);
    save_graphs(out, graphs_);
    save_graphs(out, executed_);
}

void CbPor::load(Reader& in) {
    progress_.load(in);
    next_id_ = in.number();
    totals_.load(in);
    findings_ = load_findings(in);
    knowledge_.load(in);
    graphs_ = load_graphs(in, "number of graphs");
    executed_ = load_graphs(in, "number of executed graphs");
    if (!totals_.incomplete()) progress_.go_further(options_);
}

}  // namespace

std::unique_ptr<Strategy> make_cb_por(const StrategyOptions& options) { return std::make_unique<CbPor>(options); }

}  // namespace raddle
