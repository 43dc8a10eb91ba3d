// Reversals: two conflicting events of different threads, in the other order. The operations decide the pattern.
#include <algorithm>

#include "supervisor/base/hash.h"
#include "supervisor/search/directed/finder.h"

namespace raddle {

namespace {

bool is_held(Kind kind) { return is_lock(kind) || kind == Kind::once; }

bool takes_or_ends(const Action& action) {
    const OperationTraits& what = traits(action.operation);
    return takes_lock(what.lock) || what.lifetime != Lifetime::unaffected;
}

bool waits_in_queue(Operation operation) {
    return operation == Operation::cond_wait || operation == Operation::futex_enter ||
           operation == Operation::futex_wait || operation == Operation::state_enter;
}

bool uses_thread(Operation operation) {
    return operation == Operation::thread_join || operation == Operation::thread_tryjoin ||
           operation == Operation::thread_detach || operation == Operation::thread_cancel;
}

}  // namespace

// Visits each use j with the earliest and the latest conflicting use before it in each group, by another thread.
template <typename Do>
void CandidateFinder::each_conflict(ObjectSlot object, Do&& act) const {
    struct Ends {
        Position any = nowhere, other = nowhere;  // `other` is of another thread than `any`
    };
    const std::vector<Digest::Group> groups = digest_->groups_of(object);
    std::vector<Ends> first(groups.size()), last(groups.size());
    std::vector<std::size_t> next(groups.size(), 0);
    const auto thread = [&](Position i) { return digest_->event(i).thread; };
    const auto of_other = [&](const Ends& ends, ThreadSlot than) {
        return ends.any != nowhere && thread(ends.any) != than ? ends.any : ends.other;
    };
    std::uint32_t comparisons = 0;
    for (;;) {
        std::size_t own = groups.size();
        for (std::size_t g = 0; g < groups.size(); ++g)
            if (next[g] < groups[g].at.size() &&
                (own == groups.size() || groups[g].at[next[g]] < groups[own].at[next[own]]))
                own = g;
        if (own == groups.size()) return;
        const Position j = groups[own].at[next[own]++];
        for (std::size_t g = 0; g < groups.size(); ++g) {
            if (commute(groups[g].mode, groups[own].mode)) continue;
            if (++comparisons > most_comparisons) return;
            const Position latest = of_other(last[g], thread(j)), earliest = of_other(first[g], thread(j));
            if (latest != nowhere) act(latest, j);
            if (earliest != nowhere && earliest != latest) act(earliest, j);
        }
        if (first[own].any == nowhere)
            first[own].any = j;
        else if (first[own].other == nowhere && thread(j) != thread(first[own].any))
            first[own].other = j;
        if (last[own].any != nowhere && thread(last[own].any) != thread(j)) last[own].other = last[own].any;
        last[own].any = j;
    }
}

void CandidateFinder::learn_and_reverse(ObjectSlot object) {
    const std::vector<Track::UsedAt>& uses = digest_->track().uses_of(object);
    const auto thread = [&](const Track::UsedAt& use) { return digest_->track()[use.at].thread; };
    if (uses.empty() ||
        std::all_of(uses.begin(), uses.end(), [&](const auto& use) { return thread(use) == thread(uses.front()); }))
        return;
    learn_read(object);
    each_conflict(object, [&](Position i, Position j) { facts_->note_order(digest_->code(i), digest_->code(j)); });
    each_conflict(object, [&](Position i, Position j) { reverse(object, i, j); });
}

// Notes for each access the write before it, and what reads got.
void CandidateFinder::learn_read(ObjectSlot object) {
    if (digest_->track().machine().object(object).kind != Kind::memory) return;
    std::uint64_t writer = Facts::initial;
    for (const Track::UsedAt& use : digest_->track().uses_of(object)) {
        if (use.at >= digest_->size()) return;
        source_[use.at] = writer;
        if (traits(digest_->event(use.at).action.operation).access != MemoryAccess::writes)
            facts_->note_read(writer, digest_->code(use.at), digest_->value_before(use.at));
        if (use.mode == Mode::exclusive) writer = digest_->code(use.at);
    }
}

// The event at j comes after the event at i, and is wanted before it.
void CandidateFinder::reverse(ObjectSlot object, Position i, Position j) {
    if (digest_->must_precede(i, j)) return;
    Candidate candidate;
    if (!classify(digest_->track().machine().object(object).kind, i, j, candidate)) return;
    // A common lock keeps the threads apart: the first thread has to stop before it takes the lock.
    Position at = i;
    for (const HeldLock& own : digest_->held(i))
        if (common_lock(std::span(&own, 1), digest_->held(j)) != nullptr) at = std::min(at, own.since);
    candidate.stop(digest_->reference(at), 1);
    candidate.through = digest_->reference(j);
    candidate.key = Hasher()
                        .add(static_cast<std::uint64_t>(candidate.pattern))
                        .add(digest_->code(i))
                        .add(digest_->code(j))
                        .finish()
                        .low;
    add(candidate);
}

bool CandidateFinder::classify(Kind kind, Position i, Position j, Candidate& candidate) const {
    const Action &first = digest_->event(i).action, &second = digest_->event(j).action;
    const bool unseen = !facts_->has_order(digest_->code(j), digest_->code(i));
    const auto is = [&](BugPattern pattern) {
        if (!patterns_.has(pattern)) return false;
        candidate.pattern = pattern;
        candidate.is_novel = unseen;
        return true;
    };
    if (is_freeing(second) && !is_freeing(first) && is(BugPattern::free_use)) return true;
    const bool destroys = traits(second.operation).lifetime == Lifetime::ends;
    if (destroys && traits(first.operation).lifetime != Lifetime::ends && is(BugPattern::destroy_use)) return true;
    if (is_held(kind) && (!takes_or_ends(first) || !takes_or_ends(second))) return false;
    if (waits_in_queue(first.operation) && traits(second.operation).ends == Wait::wake_up &&
        is(BugPattern::notify_wait))
        return true;
    if (uses_thread(first.operation) && second.operation == Operation::thread_exit && is(BugPattern::end_join))
        return true;
    if (kind == Kind::memory && gives_new_read(i, j, candidate)) return true;
    return unseen && is(BugPattern::first_reversal);
}

bool CandidateFinder::gives_new_read(Position i, Position j, Candidate& candidate) const {
    if (!patterns_.has(BugPattern::new_read)) return false;
    const auto reads = [&](Position at) {
        return traits(digest_->event(at).action.operation).access != MemoryAccess::writes;
    };
    const auto is_new = [&](std::uint64_t writer, Position reader, std::optional<std::uint64_t> value) {
        const std::uint64_t code = digest_->code(reader);
        const bool fresh = !facts_->has_value(code, value);
        if (!fresh && facts_->has_read(writer, code)) return false;
        candidate.pattern = BugPattern::new_read;
        candidate.is_novel = fresh;
        return true;
    };
    // The later event would read what the earlier one overwrote, or the earlier one would read what the later one
    // wrote.
    if (reads(j) && is_new(source_[i], j, digest_->value_before(i))) return true;
    return reads(i) && digest_->value_after(j) != digest_->value_before(j) &&
           is_new(digest_->code(j), i, digest_->value_after(j));
}

}  // namespace raddle
