// The rule that divides the executions among the parts of a portfolio: bounds side by side, and members. It counts
// executions and knows no clock, so a campaign takes the same turns on any machine.
//
//   * Before the division begins, some members have a few executions each, in the order of their rows.
//   * The first `early` executions go to the members mostly: a quarter of them to the bounds.
//   * After that the bounds get half of the executions: the lowest bound k that is not complete gets as many as k+1 and
//     k+2 together, which get equally many.
//   * The members divide their half by the shares of members.def.
//   * A part that has nothing to execute passes: the other members, or the other bounds, divide its turn.
//   * A member that passes is asked again after 1, 2, 4, 8 … executions.
// Turns are spread evenly: each part collects its share at every turn, and the part with the most takes the turn and
// pays for it.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "supervisor/base/bytes.h"
#include "supervisor/search/portfolio/member.h"

namespace raddle {

class Turns {
public:
    static constexpr std::uint32_t bounds = 3;  // side by side; parts 0, 1, 2
    static constexpr std::uint64_t early = 32;

    explicit Turns(const std::vector<MemberRow>& members);

    // The plans of one round are made from the same knowledge, so any number of workers up to this can run them.
    static std::uint32_t plans_in_round(std::uint64_t executions);

    // A round begins after so many executions. In a round, a part that passed is not asked again.
    void begin_round(std::uint64_t executions);
    // The part whose turn it is; nothing if all have passed.
    std::optional<std::uint32_t> next();
    void took(std::uint32_t part);
    void passed(std::uint32_t part);
    static bool is_bound(std::uint32_t part) { return part < bounds; }

    void save(Writer& out) const;
    void load(Reader& in);

private:
    struct Part {
        std::int64_t share = 0;        // among the members, or among the bounds
        std::uint64_t first_from = 0;  // it goes first from this number of executions on …
        std::uint64_t first_to = 0;    // … and below this one
        std::int64_t collected = 0;
        std::uint32_t passes = 0;    // in a row
        std::uint64_t asked_at = 0;  // not before so many executions
        bool has_passed = false;     // in this round
    };
    std::int64_t sum_of_shares(std::uint32_t begin, std::uint32_t end) const;
    bool can_be_asked(const Part& part) const { return !part.has_passed && executions_ >= part.asked_at; }
    bool goes_first(const Part& part) const {
        return executions_ >= part.first_from && executions_ < part.first_to && can_be_asked(part);
    }

    std::vector<Part> parts_;
    std::uint64_t executions_ = 0;
};

}  // namespace raddle
