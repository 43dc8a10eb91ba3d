#include "supervisor/search/experience.h"

#include <algorithm>

#include "supervisor/search/saved_parts.h"
#include "supervisor/trace/bug_key.h"

namespace raddle {

// ---- executions

void Experience::learn(const Execution& execution, const std::string& found_by) {
    const Followed followed = follower_->follow(execution);
    most_threads_ = std::max<std::size_t>(most_threads_, apart_.machine().thread_count());
    learn(execution, followed, apart_.graph(), found_by);
}

void Experience::learn(const Execution& execution, const Followed& followed, const Hash128& graph,
                       const std::string& found_by) {
    const bool is_graph = judge(execution, followed);
    if (is_graph) {
        const bool is_new = !has_seen(graph);
        add_mark(graph, executed);
        if (is_new && options_.on_graph) options_.on_graph(execution.schedule());
    }
    if (is_bug(execution.verdict)) note_bug(execution, is_graph ? &graph : nullptr, found_by);
}

// Counts the execution, and notes what speaks against it. True if it shows a whole graph.
bool Experience::judge(const Execution& execution, const Followed& followed) {
    ++executions_;
    if (followed.contradiction) note_disagreement(*followed.contradiction, execution);
    if (!execution.cut_short.empty()) because(execution.cut_short);
    if (!followed.agrees || execution.verdict == Verdict::diverged) {
        note_disagreement(followed.agrees ? execution.message : followed.disagreement, execution);
        return false;
    }
    if (!is_cut(execution.verdict) && execution.verdict != Verdict::abandoned) return true;
    because(text_of(execution.verdict));
    return false;
}

void Experience::close() { follower_.emplace(apart_, nullptr); }

bool Experience::note_unlearned(const Execution& execution, const std::string& found_by) {
    // The optimal search gives up an execution that turns out to be equivalent to others.
    if (execution.verdict == Verdict::abandoned) {
        ++executions_;
        return false;
    }
    const bool is_graph = judge(execution, follower_->follow(execution));
    const Hash128 graph = apart_.graph();
    const bool is_new = is_graph && !has_seen(graph);
    if (!is_bug(execution.verdict)) return is_new;
    if (is_new) add_mark(graph, executed);
    if (is_new && options_.on_graph) options_.on_graph(execution.schedule());
    note_bug(execution, is_graph ? &graph : nullptr, found_by);
    return false;
}

std::size_t Experience::used_bytes() const {
    constexpr std::size_t bytes_a_hash = 40;
    return bytes_a_hash * (knowledge_.size() + graphs_.size() + executed_before_.size());
}

bool Experience::supplied(const Hash128& awaited, const Execution& execution) {
    if (knowledge_.has_learned(awaited)) return true;
    if (!is_bug(execution.verdict) && !is_cut(execution.verdict))
        because("an execution ended before it did what it was run for");
    return false;
}

void Experience::note_disagreement(const std::string& what, const Execution& execution) {
    because("nondeterminism: " + what);
    findings_.push_back({Verdict::diverged, 0, execution.schedule(), what});
}

void Experience::because(const std::string& reason) {
    if (std::find(reasons_.begin(), reasons_.end(), reason) == reasons_.end()) reasons_.push_back(reason);
}

void Experience::report(Coverage& coverage) const {
    coverage.executions = executions_;
    coverage.graphs = graphs_.size();
    coverage.incomplete_because = reasons_;
}

// ---- bugs

void Experience::note_bug(const Execution& execution, const Hash128* graph, const std::string& found_by) {
    Finding finding{execution.verdict, follower_->preemptions(execution), execution.schedule(), execution.message};
    finding.found_by = found_by;
    if (keeps_ == Keeps::preemptions) {
        finding.key = bug_key_of(execution);
        const Mark number = graph != nullptr && is_property_of_graph(finding.verdict) ? number_of(finding) : 0;
        if (number != 0) add_mark(*graph, number << bug_shift);
    }
    findings_.push_back(std::move(finding));
}

void Experience::forget_bug(const Finding& bug) {
    for (KnownBug& known : bugs_)
        if (known.verdict == bug.verdict && known.key == bug.key)
            known = {};  // no schedule has fewer than 0 preemptions
    std::erase_if(findings_,
                  [&](const Finding& finding) { return finding.verdict == bug.verdict && finding.key == bug.key; });
}

// The number of the finding's bug, from 1; 0 if there are too many bugs to number.
Experience::Mark Experience::number_of(const Finding& finding) {
    for (Mark i = 0; i < bugs_.size(); ++i) {
        if (bugs_[i].verdict != finding.verdict || bugs_[i].key != finding.key) continue;
        bugs_[i].preemptions = std::min(bugs_[i].preemptions, finding.preemptions);
        return i + 1;
    }
    constexpr std::size_t most_numbered = 1000;
    if (bugs_.size() >= most_numbered) return 0;
    bugs_.push_back({finding.verdict, finding.key, finding.message, finding.preemptions});
    return static_cast<Mark>(bugs_.size());
}

// ---- graphs

Experience::Mark Experience::both(Mark one, Mark other) {
    const Mark a = level_of(one), b = level_of(other);
    const Mark level = a == 0 || b == 0 ? std::max(a, b) : std::min(a, b);
    const Mark bug = bug_of(one) != 0 ? bug_of(one) : bug_of(other);
    return ((one | other) & executed) | level << level_shift | bug << bug_shift;
}

// True if the graph or a part of its mark is new.
bool Experience::add_mark(const Hash128& graph, Mark mark) {
    Mark& known = graphs_.find_or_add(graph, HashIndex::none);
    const bool is_new = known == HashIndex::none;
    const Mark now = is_new ? mark : both(known, mark);
    if (!is_new && now == known) return false;
    known = now;
    if (records_changes()) changed_graphs_.push_back({graph.low, static_cast<std::uint32_t>(graph.high), mark});
    return true;
}

bool Experience::has_reached(const Hash128& graph, std::uint32_t preemptions) const {
    const Mark mark = graphs_.find(graph);
    return mark != HashIndex::none && level_of(mark) != 0 && level_of(mark) - 1 <= preemptions;
}

bool Experience::was_executed(const Schedule& schedule) {
    Walk walk(options_.machine, knowledge_);
    if (!walk.take(schedule)) return false;
    const Mark mark = graphs_.find(walk.track().graph());
    return mark != HashIndex::none && (mark & executed) != 0;
}

void Experience::note_leaf(const Walk& walk, std::uint32_t preemptions, const std::string& found_by) {
    const Hash128 graph = walk.track().graph();
    const Mark before = graphs_.find(graph);
    const Mark level = keeps_ == Keeps::preemptions ? std::min(preemptions + 1, level_mask) : 0;
    const bool is_new = before == HashIndex::none;
    const bool is_wanted = is_new && (options_.execute_all || is_bug(verdict_of(walk.machine())));
    const bool counts_again = is_new && !is_wanted && was_executed_before(walk.track());
    if (counts_again) ++executions_;
    if (!add_mark(graph, (counts_again ? executed : composed) | level << level_shift)) return;
    if (is_new) {
        if (options_.on_graph) options_.on_graph(walk.schedule());
        if (is_wanted) to_confirm_.emplace_back(walk.schedule(), found_by);
        return;
    }
    // Another schedule of an executed graph shows the same bug.
    const Mark number = bug_of(before);
    if (number == 0 || number > bugs_.size() || preemptions >= bugs_[number - 1].preemptions) return;
    KnownBug& bug = bugs_[number - 1];
    bug.preemptions = preemptions;
    Finding finding{bug.verdict, preemptions, walk.schedule(), bug.message, bug.key};
    finding.found_by = found_by;
    finding.is_composed = true;
    findings_.push_back(std::move(finding));
}

void Experience::outgrow(Experience& before, const Growth& growth) {
    knowledge_ = std::move(before.knowledge_);
    const Knowledge::Epoch epoch = knowledge_.epoch();
    knowledge_.outgrow(growth);
    executed_before_ = std::move(before.executed_before_);
    before.graphs_.each([&](const Hash128& graph, Mark mark) {
        if ((mark & executed) != 0) executed_before_.find_or_add(graph, epoch) = epoch;
    });
    findings_ = std::move(before.findings_);
}

// The graph of the track was executed in an earlier epoch, and all its events are those of that epoch.
bool Experience::was_executed_before(const Track& track) const {
    const std::uint32_t epoch = executed_before_.find(track.graph());
    if (epoch == HashIndex::none) return false;
    for (Position i = 0; i < track.size(); ++i)
        if (track[i].since > epoch) return false;
    return true;
}

void Experience::merge(const Experience& other) {
    if (!knowledge_.merge(other.knowledge_))
        because("nondeterminism: two searches saw different actions after one past");
    std::vector<Mark> numbers(other.bugs_.size() + 1, 0);
    for (std::size_t i = 0; i < other.bugs_.size(); ++i) {
        const KnownBug& bug = other.bugs_[i];
        numbers[i + 1] = number_of({bug.verdict, bug.preemptions, {}, bug.message, bug.key});
    }
    std::uint64_t in_both = 0;
    other.graphs_.each([&](const Hash128& graph, Mark mark) {
        const Mark number = bug_of(mark) < numbers.size() ? numbers[bug_of(mark)] : 0;
        const Mark fresh = (mark & ((1u << bug_shift) - 1)) | number << bug_shift;
        Mark& known = graphs_.find_or_add(graph, composed);
        in_both += known & mark & executed;
        known = both(known, fresh);
    });
    executions_ += other.executions_ - in_both;
    for (const std::string& reason : other.reasons_) because(reason);
    findings_.insert(findings_.end(), other.findings_.begin(), other.findings_.end());
}

// ---- saving

namespace {

constexpr std::uint64_t mark_limit = HashIndex::none;

}  // namespace

void Experience::save_graphs(Writer& out) const {
    out.number(graphs_.size());
    graphs_.each([&](const Hash128& graph, Mark mark) {
        save_hash(out, graph);
        out.number(mark);
    });
}

void Experience::load_graphs(Reader& in) {
    for (std::size_t left = in.count("number of graphs"); left > 0; --left) {
        const Hash128 graph = load_hash(in);
        graphs_.find_or_add(graph, static_cast<Mark>(in.number_below(mark_limit, "graph mark")));
    }
}

void Experience::save_earlier(Writer& out) const {
    out.number(executed_before_.size());
    executed_before_.each([&](const Hash128& graph, std::uint32_t epoch) {
        save_hash(out, graph);
        out.number(epoch);
    });
}

void Experience::load_earlier(Reader& in) {
    for (std::size_t left = in.count("number of earlier graphs"); left > 0; --left) {
        const Hash128 graph = load_hash(in);
        executed_before_.find_or_add(graph, 0) =
            static_cast<std::uint32_t>(in.number_below(std::uint64_t{knowledge_.epoch()} + 1, "epoch"));
    }
}

void Experience::save_reasons(Writer& out) const {
    out.number(reasons_.size());
    for (const std::string& reason : reasons_) out.text(reason);
}

void Experience::load_reasons(Reader& in) {
    reasons_.clear();
    for (std::size_t left = in.count("number of reasons"); left > 0; --left) reasons_.push_back(in.text());
}

void Experience::save_findings(Writer& out) const { raddle::save_findings(out, findings_); }
void Experience::load_findings(Reader& in) { findings_ = raddle::load_findings(in); }

void Experience::save_bugs(Writer& out) const {
    out.number(bugs_.size());
    for (const KnownBug& bug : bugs_) {
        out.text(name_of(bug.verdict));
        out.text(bug.key);
        out.text(bug.message);
        out.number(bug.preemptions);
    }
    for (const Finding& finding : findings_) {
        out.text(finding.key);
        out.text(finding.found_by);
    }
}

void Experience::load_bugs(Reader& in) {
    bugs_.resize(in.count("number of bugs"));
    for (KnownBug& bug : bugs_) {
        bug.verdict = parse_verdict(in.text());
        bug.key = in.text();
        bug.message = in.text();
        bug.preemptions = static_cast<std::uint32_t>(in.number_below(1ULL << 32, "number of preemptions"));
    }
    for (Finding& finding : findings_) {
        finding.key = in.text();
        finding.found_by = in.text();
    }
}

void Experience::save_sizes(Writer& out) const {
    out.number(graphs_.size());
    out.number(knowledge_.size());
}

void Experience::load_sizes(Reader& in) {
    constexpr std::uint64_t most = HashIndex::none;
    graphs_.reserve(in.number_below(most, "number of graphs"));
    knowledge_.reserve(in.number_below(most, "number of pasts"));
}

void Experience::record_changes() {
    knowledge_.record_changes();
    changed_graphs_.clear();
}

void Experience::take_changes(Writer& out) {
    save_numbered(out, changed_graphs_);
    knowledge_.take_changes(out);
    changed_graphs_.clear();
}

void Experience::load_changes(Reader& in) {
    for (const NumberedHash& graph : load_numbered(in, mark_limit)) {
        Mark& mark = graphs_.find_or_add({graph.low, graph.high}, composed);
        mark = both(mark, graph.number);
    }
    knowledge_.load_changes(in);
}

}  // namespace raddle
