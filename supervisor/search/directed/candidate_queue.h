// The open candidates, and the executions that they come from.
//
// Rules: patterns take turns in proportion to their scores (stride scheduling, Waldspurger, 1995), so none starves.
// Within a pattern, suspicions that were tried less often come first, then novel ones and those of executions with few
// preemptions. Each suspicion is tried a bounded number of times.
#pragma once

#include <array>
#include <map>
#include <optional>
#include <span>
#include <tuple>
#include <unordered_map>

#include "supervisor/search/directed/candidate.h"
#include "supervisor/trace/execution.h"

namespace raddle {

class CandidateQueue {
public:
    struct Next {
        Candidate candidate;
        std::uint32_t parent;
    };

    // Candidates of one execution with this schedule.
    void add(std::span<const Candidate> candidates, const Schedule& parent, std::uint32_t preemptions);
    // The best one. Its parent's schedule lives until finish().
    std::optional<Next> take();
    const Schedule& schedule_of(std::uint32_t parent) const { return parents_.at(parent).schedule; }
    enum class Result : std::uint8_t { tried, impossible };
    void finish(const Next& taken, Result result);

    bool empty() const { return open_ == 0; }
    void clear();
    void save(Writer& out) const;
    void load(Reader& in);

private:
    static constexpr std::uint32_t most_tries = 12;  // of one suspicion
    static constexpr std::uint32_t most_failures = 24;
    static constexpr std::uint32_t most_open = 8;
    static constexpr std::size_t most_of_pattern = 4096;
    static constexpr std::size_t most_kept_steps = std::size_t{8} << 20;  // of all parents together

    struct Parent {
        Schedule schedule;
        std::uint32_t open = 0;  // candidates that need it
    };
    struct Suspicion {
        std::uint32_t tried = 0, impossible = 0, open = 0;
    };
    struct Entry {
        Candidate candidate;
        std::uint32_t parent;
        std::uint32_t preemptions;
    };
    using Order = std::tuple<std::uint32_t, std::uint64_t>;  // rank, then the time of arrival
    struct Pattern {
        std::map<Order, Entry> open;
        std::uint64_t pass = 0;
    };

    bool is_exhausted(const Suspicion& suspicion) const {
        return suspicion.tried >= most_tries || suspicion.impossible >= most_failures;
    }
    std::uint32_t rank_of(const Entry& entry) const;
    void insert(const Entry& entry, std::uint32_t rank);
    Pattern* pattern_in_turn();
    void release(std::uint32_t parent);
    void load_open(Reader& in);

    std::array<Pattern, bug_pattern_count> patterns_;
    std::map<std::uint32_t, Parent> parents_;
    std::unordered_map<std::uint64_t, Suspicion> suspicions_;  // by key
    std::uint32_t next_parent_ = 0;
    std::uint64_t arrivals_ = 0;
    std::uint64_t now_ = 0;  // the pass of the pattern that was served last
    std::size_t open_ = 0;
    std::size_t kept_steps_ = 0;
};

}  // namespace raddle
