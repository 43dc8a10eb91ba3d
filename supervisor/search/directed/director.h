// Directs a search to bugs: learns candidates from executions, and proposes schedules that show their orders.
#pragma once

#include <functional>
#include <optional>

#include "supervisor/search/directed/candidate_queue.h"
#include "supervisor/search/directed/digest.h"
#include "supervisor/search/directed/finder.h"
#include "supervisor/search/directed/schedule_builder.h"

namespace raddle {

class Director {
public:
    struct Proposal {
        Schedule prefix;
        Hash128 past;  // of its last step
        BugPattern pattern;
        bool is_whole;  // the schedule of a finished graph; otherwise it ends with an unknown past
    };
    enum class Use : std::uint8_t {
        execute,
        learn,  // the graph consists of known pasts: learn from it in memory
        skip,
    };
    // Decides about the schedule on the walk: at a finished graph, or at a step to an unknown past.
    using Judge = std::function<Use(const Walk& walk, ScheduleBuilder::Built built)>;

    explicit Director(std::uint64_t max_steps, BugPatterns patterns = {}) : max_steps_(max_steps), finder_(patterns) {}

    // The track holds the execution.
    void learn(const Track& track, std::uint32_t preemptions);
    // The next schedule that the judge wants to execute. Nothing if no candidate is left, or the effort of one call was
    // spent. The walk's track is used and left anywhere.
    std::optional<Proposal> propose(Walk& walk, const Judge& judge);

    bool has_candidates() const { return !queue_.empty(); }
    const Facts& facts() const { return facts_; }
    // Forgets the candidates, but not the facts.
    void forget_candidates() { queue_.clear(); }
    void save(Writer& out) const;
    void load(Reader& in);

private:
    static constexpr std::uint64_t most_steps_a_call = 200'000;  // in memory

    const std::uint64_t max_steps_;  // of one execution
    CandidateFinder finder_;
    Facts facts_;
    CandidateQueue queue_;
    Digest digest_;
};

}  // namespace raddle
