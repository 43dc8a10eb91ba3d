#include "supervisor/search/search_totals.h"

#include "supervisor/base/text.h"

namespace raddle {

bool follows(const Plan& plan, const Execution& execution) {
    if (plan.tail.leaves_out_impossible) return true;
    if (execution.events.size() < plan.prefix.size()) return false;
    for (std::size_t i = 0; i < plan.prefix.size(); ++i) {
        const Event& event = execution.events[i];
        if (!(Step{event.thread, event.value} == plan.prefix[i])) return false;
    }
    return true;
}

bool SearchTotals::record(const Plan& plan, const Execution& execution, const ReplayMachine& replay) {
    ++executions_;
    if (is_bug(execution.verdict))
        findings_.push_back({execution.verdict, replay.preemptions(), execution.schedule(), execution.message});
    if (replay.mismatch()) {
        note_incomplete("an execution does not follow the model");
        return false;
    }
    if (!execution.cut_short.empty()) {
        note_incomplete(execution.cut_short);
        return false;
    }
    const bool is_followed = follows(plan, execution);
    switch (is_followed ? use_of(execution.verdict) : VerdictUse::doubtful) {
        case VerdictUse::ended:
        case VerdictUse::bug: count_graph(execution, replay.graph()); return true;
        case VerdictUse::abandoned: ++abandoned_; return true;
        case VerdictUse::cut:
        case VerdictUse::doubtful: note_incomplete(text_of(is_followed ? execution.verdict : Verdict::diverged)); break;
    }
    return false;
}

void SearchTotals::count_graph(const Execution& execution, Hash128 graph) {
    constexpr std::size_t bytes_a_graph = 48;
    if (graphs_.size() >= options_.memory_limit / 2 / bytes_a_graph) {
        uncounted_ += graphs_.contains(graph) ? 0 : 1;
        return;
    }
    if (graphs_.insert(graph).second && options_.on_graph) options_.on_graph(execution.schedule());
}

void SearchTotals::report(Coverage& coverage) const {
    coverage.executions = executions_;
    coverage.graphs = graphs_.size();
    coverage.abandoned = abandoned_;
    for (const auto& [reason, times] : incomplete_)
        coverage.incomplete_because.push_back(reason + " (" + counted(times, "time") + ")");
    if (uncounted_ > 0)
        coverage.incomplete_because.push_back("the memory limit ended the counting of graphs, " +
                                              std::to_string(uncounted_) + " executions ago");
}

void SearchTotals::save(Writer& out) const {
    out.number(executions_);
    out.number(abandoned_);
    out.number(uncounted_);
    save_graphs(out, graphs_);
    save_findings(out, findings_);
    out.number(incomplete_.size());
    for (const auto& [reason, times] : incomplete_) {
        out.text(reason);
        out.number(times);
    }
}

void SearchTotals::load(Reader& in) {
    executions_ = in.number();
    abandoned_ = in.number();
    uncounted_ = in.number();
    graphs_ = load_graphs(in, "number of graphs");
    findings_ = load_findings(in);
    incomplete_.clear();
    for (std::size_t left = in.count("number of reasons"); left > 0; --left) {
        std::string reason = in.text();
        incomplete_[std::move(reason)] = in.number();
    }
}

}  // namespace raddle
