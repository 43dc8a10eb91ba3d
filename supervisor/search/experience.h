// Everything that a search over known pasts has learned from executions: the knowledge, the graphs, the bugs, and the
// reasons why it will not be complete. The strategies bounded and portfolio share it.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "supervisor/search/follower.h"
#include "supervisor/search/knowledge.h"
#include "supervisor/search/strategy.h"
#include "supervisor/search/thread_set.h"
#include "supervisor/search/walk.h"

namespace raddle {

// A reason for being incomplete.
inline constexpr const char* memory_used_up = "the memory for the search is used up (--memory-limit)";

class Experience {
public:
    enum class Keeps : std::uint8_t {
        graphs,
        preemptions,  // and for each graph the fewest preemptions that led to it in memory, and its bug
    };

    Experience(const StrategyOptions& options, Keeps keeps)
        : options_(options), keeps_(keeps), apart_(options.machine) {
        follower_.emplace(apart_, &knowledge_);
    }

    Knowledge& knowledge() { return knowledge_; }
    const Knowledge& knowledge() const { return knowledge_; }

    // Learns from an execution that the part `found_by` of the search wanted.
    void learn(const Execution& execution, const std::string& found_by);
    // The same, after a walk has followed it to its end.
    void learn(const Execution& execution, const Followed& followed, const Hash128& graph, const std::string& found_by);
    // Nothing is learned any more, because the memory is used up: only graphs with bugs are added.
    void close();
    // The same as learn(), with an experience that is closed. True if the execution shows a graph that is not part of
    // it, not even now.
    bool note_unlearned(const Execution& execution, const std::string& found_by);
    // An estimate by what it holds, so that it is the same after loading.
    std::size_t used_bytes() const;
    // The execution was to supply the action after this past. False if it did not: nothing ever will.
    bool supplied(const Hash128& awaited, const Execution& execution);
    // The walk is at the end of a graph that is composed of known pasts, reached with so many preemptions. A bug in it
    // is not one before an execution confirms it: its schedule is then in to_confirm().
    void note_leaf(const Walk& walk, std::uint32_t preemptions, const std::string& found_by);
    // The schedules to execute although they are known, and the part that found each.
    std::vector<std::pair<Schedule, std::string>>& to_confirm() { return to_confirm_; }
    const std::vector<std::pair<Schedule, std::string>>& to_confirm() const { return to_confirm_; }

    bool has_seen(const Hash128& graph) const { return graphs_.find(graph) != HashIndex::none; }
    // True if the graph of this schedule, which is composed of known pasts, was executed.
    bool was_executed(const Schedule& schedule);
    // A walk in memory reached this graph with at most so many preemptions.
    bool has_reached(const Hash128& graph, std::uint32_t preemptions) const;
    bool has_too_many_threads() const { return most_threads_ > ThreadSet::capacity; }

    void because(const std::string& reason);
    const std::vector<std::string>& reasons() const { return reasons_; }
    std::vector<Finding> take_findings() { return std::exchange(findings_, {}); }
    // It is no bug any more: nothing is said about its graphs.
    void forget_bug(const Finding& bug);
    void report(Coverage& coverage) const;
    std::uint64_t executions() const { return executions_; }

    // Takes over the experience of before the visible set grew. Only pasts stay; graphs are found again in memory, and
    // executions count again whose graphs are found unchanged.
    void outgrow(Experience& before, const Growth& growth);
    // Executions of one graph count once.
    void merge(const Experience& other);

    // ---- saving, in parts
    void save_graphs(Writer& out) const;
    void load_graphs(Reader& in);
    void save_reasons(Writer& out) const;
    void load_reasons(Reader& in);
    void save_findings(Writer& out) const;
    void load_findings(Reader& in);
    // The bugs of executed graphs, and the parts that found the findings.
    void save_bugs(Writer& out) const;
    void load_bugs(Reader& in);
    // The executed graphs of before the visible set grew.
    void save_earlier(Writer& out) const;
    void load_earlier(Reader& in);
    void save_executions(Writer& out) const { out.number(executions_); }
    void load_executions(Reader& in) { executions_ = in.number(); }
    void save_sizes(Writer& out) const;
    void load_sizes(Reader& in);

    void record_changes();
    bool records_changes() const { return knowledge_.records_changes(); }
    void take_changes(Writer& out);
    void load_changes(Reader& in);

private:
    // A graph's mark: bit 0 is set if it was executed and not only composed of known pasts. Above it, if preemptions
    // are kept: the fewest preemptions plus one (8 bits, 0: not reached in memory), and the bug's number plus one.
    // Stored on disk.
    using Mark = std::uint32_t;
    static constexpr Mark composed = 0, executed = 1;
    static constexpr unsigned level_shift = 1, bug_shift = 9;
    static constexpr Mark level_mask = 0xff, most_bugs = 1u << 20;
    static Mark level_of(Mark mark) { return mark >> level_shift & level_mask; }
    static Mark bug_of(Mark mark) { return mark >> bug_shift; }
    static Mark both(Mark one, Mark other);

    // A bug of executed graphs, and the fewest preemptions of its findings.
    struct KnownBug {
        Verdict verdict = Verdict::ok;
        std::string key, message;
        std::uint32_t preemptions = 0;
    };

    bool was_executed_before(const Track& track) const;
    bool add_mark(const Hash128& graph, Mark mark);
    void note_disagreement(const std::string& what, const Execution& execution);
    bool judge(const Execution& execution, const Followed& followed);
    void note_bug(const Execution& execution, const Hash128* graph, const std::string& found_by);
    Mark number_of(const Finding& finding);

    const StrategyOptions& options_;
    const Keeps keeps_;
    Knowledge knowledge_;
    Track apart_;
    std::optional<Follower> follower_;  // for executions that no walk goes along with
    std::size_t most_threads_ = 0;
    HashIndex graphs_;
    HashIndex executed_before_;                 // graphs of earlier epochs, with the last of these; some still exist
    std::vector<NumberedHash> changed_graphs_;  // with their marks
    std::vector<KnownBug> bugs_;
    std::uint64_t executions_ = 0;
    std::vector<std::pair<Schedule, std::string>> to_confirm_;
    std::vector<Finding> findings_;
    std::vector<std::string> reasons_;
};

}  // namespace raddle
