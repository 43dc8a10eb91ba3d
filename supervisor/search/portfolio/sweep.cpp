#include "supervisor/search/portfolio/sweep.h"

#include "supervisor/search/tree/tree_plan.h"

namespace raddle {

Sweep::Sweep(const StrategyOptions& options, Experience& experience)
    : options_(options),
      experience_(experience),
      walk_(options.machine, experience.knowledge()),
      follower_(walk_.track()),
      chooser_(walk_.machine(), &supervisor_memory),
      tree_(TreeSearch::Rule::optimal) {}

std::optional<Plan> Sweep::next(std::uint64_t id, std::uint64_t most_graphs) {
    for (std::uint64_t graphs = 0; graphs < most_graphs && !met_long_wait_; ++graphs) {
        std::optional<TreePlan> tree = tree_.next();
        if (!tree) return std::nullopt;
        Plan plan = plan_of(*tree, walk_.machine());
        plan.id = id;
        plan.max_steps = options_.max_steps;
        const Led led = go_along(plan);
        if (led == Led::to_execution) {
            wanted_.emplace(id, Wanted{std::move(*tree)});
            return plan;
        }
        if (led == Led::to_new_graph) {
            ++graphs_;
            if (options_.on_graph) options_.on_graph(walk_.schedule());
        }
        tree_.learn(*tree, walk_.track());
    }
    return std::nullopt;
}

// Takes the steps of the plan in memory, as a target would.
Sweep::Led Sweep::go_along(const Plan& plan) {
    if (!walk_.begin()) return Led::to_execution;
    walk_.track().pop_to(0);
    chooser_.begin(plan.view());
    for (;;) {
        const Choice choice = chooser_.next();
        if (choice.decision == Decision::end) break;
        if (choice.decision != Decision::go || !walk_.step(choice.thread, choice.value)) return Led::to_execution;
        note_waits();
        chooser_.happened(choice.thread, walk_.track()[walk_.track().size() - 1].outcome);
    }
    if (experience_.has_seen(walk_.track().graph())) return Led::to_known_graph;
    const bool is_wanted = options_.execute_all || is_bug(verdict_of(walk_.machine()));
    return is_wanted ? Led::to_execution : Led::to_new_graph;
}

void Sweep::note_waits() {
    if (!options_.machine.limits_patience() || met_long_wait_) return;
    const Machine& machine = walk_.machine();
    for (ThreadSlot thread = 0; thread < machine.thread_count(); ++thread)
        if (machine.thread(thread).life == Life::announced && machine.is_long_wait(thread)) met_long_wait_ = true;
    if (met_long_wait_)
        experience_.because("the memory was used up, and what is left has waits that are longer than the patience");
}

// In the order of the plans, so that it makes no difference which worker was first.
void Sweep::learn(std::uint64_t id, const Execution& execution, bool is_new) {
    Wanted& wanted = wanted_.at(id);
    wanted.execution = execution;
    wanted.is_new = is_new;
    for (auto first = wanted_.begin(); first != wanted_.end() && first->second.execution; first = wanted_.erase(first))
        learn(first->second);
}

void Sweep::learn(const Wanted& wanted) {
    const Execution& execution = *wanted.execution;
    walk_.track().pop_to(0);
    follower_.begin(execution);
    while (follower_.more() && follower_.feed()) note_waits();
    follower_.learn_all();
    if (wanted.is_new) {
        ++graphs_;
        if (options_.on_graph) options_.on_graph(execution.schedule());
    }
    if (follower_.followed().agrees && execution.verdict != Verdict::diverged &&
        walk_.track().size() >= wanted.tree.path.size())
        tree_.learn(wanted.tree, walk_.track());
    else
        tree_.abandon(wanted.tree);
}

void Sweep::save(Writer& out) const {
    out.number(graphs_);
    out.number(met_long_wait_ ? 1 : 0);
    tree_.save(out, walk_.machine());
}

void Sweep::load(Reader& in) {
    graphs_ = in.number();
    met_long_wait_ = in.number_below(2, "whether a sweep ended") != 0;
    tree_.load(in, walk_.machine());
}

}  // namespace raddle
