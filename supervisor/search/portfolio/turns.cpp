#include "supervisor/search/portfolio/turns.h"

#include <algorithm>

namespace raddle {

Turns::Turns(const std::vector<MemberRow>& members) : parts_(bounds + members.size()) {
    std::uint64_t first = 1;  // the very first execution shows the way to all others
    for (std::size_t i = 0; i < members.size(); ++i) {
        Part& part = parts_[bounds + i];
        part.share = members[i].share;
        part.first_from = first;
        first += members[i].first;
        part.first_to = first;
    }
    for (std::uint32_t place = 0; place < bounds; ++place) parts_[place].share = place == 0 ? 2 : 1;
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

std::int64_t Turns::sum_of_shares(std::uint32_t begin, std::uint32_t end) const {
    std::int64_t sum = 0;
    for (std::uint32_t i = begin; i < end; ++i) sum += can_be_asked(parts_[i]) ? parts_[i].share : 0;
    return std::max<std::int64_t>(sum, 1);  // shares are divided by it
}

std::optional<std::uint32_t> Turns::next() {
    constexpr std::int64_t whole = 1 << 20;
    const auto end = static_cast<std::uint32_t>(parts_.size());
    for (std::uint32_t i = 0; i < end; ++i)
        if (goes_first(parts_[i])) return i;
    const std::int64_t of_bounds = sum_of_shares(0, bounds), of_members = sum_of_shares(bounds, end);
    const std::int64_t for_members = executions_ < early ? 3 * whole : whole;
    std::optional<std::uint32_t> best;
    std::int64_t all = 0;
    for (std::uint32_t i = 0; i < end; ++i) {
        Part& part = parts_[i];
        if (!can_be_asked(part)) continue;
        const std::int64_t fresh = is_bound(i) ? whole * part.share / of_bounds : for_members * part.share / of_members;
        part.collected += fresh;
        all += fresh;
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
