// Separations: another thread's access between two consecutive accesses of one thread to one variable. Only the four
// combinations without an equivalent serial order are candidates (Lu, Tucek, Qin, Zhou, AVIO, ASPLOS 2006).
#include <algorithm>

#include "supervisor/base/hash.h"
#include "supervisor/search/directed/finder.h"

namespace raddle {

void CandidateFinder::separate(ObjectSlot object) {
    if (digest_->track().machine().object(object).kind != Kind::memory) return;
    const std::vector<Digest::Group> groups = digest_->groups_of(object);
    const std::uint32_t threads = digest_->track().machine().thread_count();
    std::vector<Position> last(threads, nowhere);
    std::uint32_t comparisons = 0;
    for (const Track::UsedAt& use : digest_->track().uses_of(object)) {
        if (use.at >= digest_->size() || (comparisons += static_cast<std::uint32_t>(groups.size())) > most_comparisons)
            return;
        Position& before = last[digest_->event(use.at).thread];
        if (before != nowhere) separate_pair(before, use.at, groups);
        before = use.at;
    }
}

// Takes the nearest access of each group before a, and the nearest after b.
void CandidateFinder::separate_pair(Position a, Position b, std::span<const Digest::Group> groups) {
    const ThreadSlot own = digest_->event(a).thread;
    constexpr std::ptrdiff_t most_own = 8;  // accesses of its own that it skips
    for (const Digest::Group& group : groups) {
        const auto& at = group.at;
        const auto is_foreign = [&](Position i) { return digest_->event(i).thread != own; };
        const auto after_a = std::upper_bound(at.begin(), at.end(), a);
        const auto after_b = std::upper_bound(after_a, at.end(), b);
        const auto between = std::find_if(after_a, after_b, is_foreign);
        if (between != after_b) facts_->note_separated(digest_->code(a), digest_->code(*between), digest_->code(b));
        const auto later_end = after_b + std::min(most_own, at.end() - after_b);
        const auto later = std::find_if(after_b, later_end, is_foreign);
        if (later != later_end) separate_by(a, *later, b);
        auto earlier = after_a;
        for (std::ptrdiff_t left = std::min(most_own, after_a - at.begin()); left > 0; --left) {
            --earlier;
            if (!is_foreign(*earlier)) continue;
            separate_by(a, *earlier, b);
            break;
        }
    }
}

void CandidateFinder::separate_by(Position a, Position w, Position b) {
    if (digest_->must_precede(w, a) || digest_->must_precede(b, w) || is_guarded(a, w, b)) return;
    Candidate candidate;
    if (!classify(a, w, b, candidate.pattern)) return;
    Position at = b;
    for (const HeldLock& own : digest_->held(b))
        if (own.since > a && common_lock(std::span(&own, 1), digest_->held(w)) != nullptr) at = std::min(at, own.since);
    const std::uint64_t first = digest_->code(a), between = digest_->code(w), second = digest_->code(b);
    candidate.stop(digest_->reference(at), digest_->event(a).number + 1);
    candidate.through = digest_->reference(w);
    candidate.is_novel = !facts_->has_separated(first, between, second);
    candidate.key =
        Hasher().add(static_cast<std::uint64_t>(candidate.pattern)).add(first).add(between).add(second).finish().low;
    add(candidate);
}

// One lock is held from a to b, and at w.
bool CandidateFinder::is_guarded(Position a, Position w, Position b) const {
    for (const HeldLock& lock : digest_->held(a)) {
        const auto throughout = [&](const HeldLock& one) { return one.lock == lock.lock && one.since == lock.since; };
        const auto at_b = digest_->held(b);
        if (std::any_of(at_b.begin(), at_b.end(), throughout) &&
            common_lock(std::span(&lock, 1), digest_->held(w)) != nullptr)
            return true;
    }
    return false;
}

bool CandidateFinder::classify(Position a, Position w, Position b, BugPattern& pattern) const {
    const auto is = [&](BugPattern one) {
        pattern = one;
        return patterns_.has(one);
    };
    const bool a_writes = has_written(digest_->event(a)), w_writes = has_written(digest_->event(w)),
               b_writes = has_written(digest_->event(b));
    // A lock is held at both, but was given back in between.
    const bool twice_locked = common_lock(digest_->held(a), digest_->held(w)) != nullptr &&
                              common_lock(digest_->held(b), digest_->held(w)) != nullptr;
    if (twice_locked && !a_writes && w_writes && is(BugPattern::check_use)) return true;
    if (w_writes && !a_writes) return is(b_writes ? BugPattern::lost_update : BugPattern::unequal_reads);
    if (w_writes) return !b_writes && is(BugPattern::overwritten);
    return a_writes && b_writes && is(BugPattern::half_done);
}

}  // namespace raddle
