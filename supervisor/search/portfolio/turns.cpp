#include "supervisor/search/portfolio/turns.h"

#include <algorithm>

namespace raddle {

Turns::Turns(const std::vector<MemberRow>& members) : parts_(bounds + members.size()) {
    for (std::size_t i = 0; i < members.size(); ++i) {
        parts_[bounds + i].share = members[i].share;
        of_members_ += members[i].share;
    }
}

std::uint32_t Turns::plans_in_round(std::uint64_t executions) {
    constexpr std::uint64_t one_by_one = 64, most = 32;
    if (executions < one_by_one) return 1;
    return static_cast<std::uint32_t>(std::min(most, executions / (one_by_one / 2)));
}

void Turns::begin_round(std::uint64_t executions) {
    executions_ = executions;
    for (Part& part : parts_) part.has_passed = false;
}

// In units of which a member's share has 12 early, and 4 later.
std::int64_t Turns::share_of(std::uint32_t part) const {
    if (is_bound(part)) return part == 0 ? 2 * of_members_ : of_members_;
    return parts_[part].share * (executions_ < early ? 12 : 4);
}

std::optional<std::uint32_t> Turns::next() {
    std::optional<std::uint32_t> best;
    std::int64_t all = 0;
    for (std::uint32_t i = 0; i < parts_.size(); ++i) {
        Part& part = parts_[i];
        if (part.has_passed || executions_ < part.asked_at) continue;
        part.collected += share_of(i);
        all += share_of(i);
        if (!best || part.collected > parts_[*best].collected) best = i;
    }
    if (best) parts_[*best].collected -= all;
    return best;
}

void Turns::took(std::uint32_t part) { parts_[part].passes = 0; }

void Turns::passed(std::uint32_t part) {
    constexpr std::uint32_t longest_wait = 12;
    Part& one = parts_[part];
    one.has_passed = true;
    one.collected = 0;
    if (is_bound(part)) return;
    one.asked_at = executions_ + (std::uint64_t{1} << std::min(one.passes, longest_wait));
    ++one.passes;
}

void Turns::save(Writer& out) const {
    for (const Part& part : parts_) {
        out.signed_number(part.collected);
        out.number(part.passes);
        out.number(part.asked_at);
    }
}

void Turns::load(Reader& in) {
    for (Part& part : parts_) {
        part.collected = in.signed_number();
        part.passes = static_cast<std::uint32_t>(in.number_below(1ULL << 32, "number of passes"));
        part.asked_at = in.number();
    }
}

}  // namespace raddle
