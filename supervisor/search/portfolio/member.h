// A member of the portfolio: it proposes schedules, one at a time. The portfolio goes along a proposal in memory, over
// the knowledge that all parts share, and executes it only if it leads to an unknown past. So a member need not know
// what was executed before, and may propose the same graph twice.
//
// A member must be a function of the seed, of its own proposals and of the executions it was told about, in this order.
// Then a campaign takes the same schedules with any number of workers.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "supervisor/search/strategy.h"
#include "supervisor/trace/track.h"

namespace raddle {

// The steps of the prefix, and the tail from there on. A proposal ends where its prefix names an impossible step.
struct Proposal {
    Schedule prefix{};
    Tail tail{};
    std::vector<ThreadWeight> weights{};  // for the tail surw
};

class Member {
public:
    Member() = default;
    virtual ~Member() = default;
    Member(const Member&) = delete;
    Member& operator=(const Member&) = delete;

    // The next schedule. Nothing: none at present; the portfolio asks again after further executions.
    virtual std::optional<Proposal> propose() = 0;
    // An execution of any part. The track holds all its events; it is valid during the call.
    virtual void learned(const Track& track) { (void)track; }
    // False if the member need not hear of the execution with this number: numbers rise. To walk an execution again
    // costs as much as to learn from it.
    virtual bool listens_to(std::uint64_t number) const {
        (void)number;
        return true;
    }

    // The visible set grew: events, pasts and graphs have other names from now on.
    virtual void outgrow() {}

    virtual void save(Writer& out) const = 0;
    virtual void load(Reader& in) = 0;
};

// A row of members.def.
struct MemberRow {
    const char* name;
    std::uint32_t first;
    std::uint32_t share;
    const char* text;
    std::unique_ptr<Member> (*make)(const StrategyOptions&);
};
const std::vector<MemberRow>& member_rows();

}  // namespace raddle
