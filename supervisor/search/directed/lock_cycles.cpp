// Lock cycles: each thread holds a lock and wants the lock of the next one (Havelund, GoodLock, SPIN 2000). All threads
// but one stop before the lock that they want; the last one takes its first lock, and the cycle closes.
#include <algorithm>

#include "supervisor/base/hash.h"
#include "supervisor/search/directed/finder.h"

namespace raddle {

// The first acquisition of each pair of locks by each thread.
std::vector<CandidateFinder::LockOrder> CandidateFinder::lock_orders() const {
    constexpr std::size_t most_orders = 1000;
    std::vector<LockOrder> orders;
    for (Position i = 0; i < digest_->size() && orders.size() < most_orders; ++i) {
        const ObjectSlot wants = digest_->held(i).empty() ? no_slot : digest_->taken_by(i);
        if (wants == no_slot) continue;
        const ThreadSlot thread = digest_->event(i).thread;
        for (const HeldLock& held : digest_->held(i)) {
            const auto same = [&](const LockOrder& one) {
                return one.thread == thread && one.holds == held.lock && one.wants == wants;
            };
            if (held.lock != wants && std::none_of(orders.begin(), orders.end(), same))
                orders.push_back({thread, held.lock, wants, held.since, i});
        }
    }
    return orders;
}

void CandidateFinder::find_lock_cycles() {
    if (!patterns_.has(BugPattern::lock_cycle)) return;
    const std::vector<LockOrder> orders = lock_orders();
    cycles_tried_ = 0;
    std::vector<const LockOrder*> cycle;
    for (const LockOrder& first : orders) {
        cycle.assign(1, &first);
        extend_cycle(cycle, orders);
    }
}

void CandidateFinder::extend_cycle(std::vector<const LockOrder*>& cycle, const std::vector<LockOrder>& orders) {
    for (const LockOrder& next : orders) {
        if (++cycles_tried_ > most_comparisons) return;
        // Each cycle is found once, from its first member.
        if (next.holds != cycle.back()->wants || &next < cycle.front()) continue;
        // A gate lock that two of them hold forbids the cycle.
        const auto excludes = [&](const LockOrder* one) {
            return one->thread == next.thread || one->holds == next.holds ||
                   common_lock(digest_->held(one->wanted), digest_->held(next.wanted)) != nullptr;
        };
        if (std::any_of(cycle.begin(), cycle.end(), excludes)) continue;
        cycle.push_back(&next);
        if (next.wants == cycle.front()->holds)
            add_cycle(cycle);
        else if (cycle.size() < Candidate::most_stops + 1)
            extend_cycle(cycle, orders);
        cycle.pop_back();
    }
}

void CandidateFinder::add_cycle(const std::vector<const LockOrder*>& cycle) {
    Candidate candidate;
    candidate.pattern = BugPattern::lock_cycle;
    std::uint64_t codes = 0;  // the same wherever the cycle begins
    for (const LockOrder* one : cycle) {
        codes += mix64(digest_->code(one->took) + mix64(digest_->code(one->wanted)));
        if (one == cycle.back()) break;
        candidate.stop(digest_->reference(one->wanted), digest_->event(one->took).number + 1);
    }
    candidate.through = digest_->reference(cycle.back()->took);
    candidate.is_novel = true;
    candidate.key = Hasher().add(static_cast<std::uint64_t>(candidate.pattern)).add(codes).finish().low;
    add(candidate);
}

}  // namespace raddle
