#include "supervisor/search/step_scores.h"

#include <algorithm>

#include "supervisor/search/bug_patterns.h"

namespace raddle {

namespace {

std::uint32_t score(BugPattern pattern) { return row_of(pattern).score; }

std::uint32_t score_of(const Action& action) {
    const OperationTraits& what = traits(action.operation);
    if (is_freeing(action)) return score(BugPattern::free_use);
    if (what.lifetime == Lifetime::ends) return score(BugPattern::destroy_use);
    if (what.ends == Wait::wake_up) return score(BugPattern::notify_wait);
    return 0;
}

bool writes(const Action& action) { return traits(action.operation).access != MemoryAccess::reads; }
bool accesses(const Action& action) { return traits(action.operation).access != MemoryAccess::no_access; }

// The step comes between the last event and the next one of the thread that it leaves.
std::uint32_t score_between(const Action& last, const Action& step, const Action& next) {
    if (writes(last)) return score(writes(step) ? BugPattern::overwritten : BugPattern::half_done);
    if (!writes(step)) return 0;
    return score(writes(next) ? BugPattern::lost_update : BugPattern::unequal_reads);
}

}  // namespace

void StepScores::note(const TrackEvent& event) {
    if (event.thread >= known_.size()) known_.resize(event.thread + std::size_t{1});
    // Events that nobody told of count nothing.
    known_[event.thread].resize(event.number, 0);
    known_[event.thread].back() = static_cast<std::uint8_t>(raddle::score_of(event.action));
}

std::uint32_t StepScores::score_of(const Track& track, ThreadSlot thread) const {
    const ThreadRecord& record = track.machine().thread(thread);
    const Action& step = record.pending;
    std::uint32_t best = raddle::score_of(step);
    if (thread < known_.size()) {
        const std::vector<std::uint8_t>& known = known_[thread];
        const std::size_t end = std::min<std::size_t>(record.events + most_ahead, known.size());
        for (std::size_t i = record.events; i < end; ++i) best = std::max<std::uint32_t>(best, known[i]);
    }
    if (track.size() == 0 || !accesses(step)) return best;
    const TrackEvent& last = track[track.size() - 1];
    const ThreadRecord& left = track.machine().thread(last.thread);
    const bool is_between = left.life == Life::announced && last.action.object == step.object &&
                            left.pending.object == step.object && accesses(last.action);
    return is_between ? std::max(best, score_between(last.action, step, left.pending)) : best;
}

ThreadSlot StepScores::best(const Track& track, const ThreadSet& branches, const ThreadSet& tried,
                            const ThreadSet& ready) const {
    const ThreadSlot first = branches.first_beyond(tried);
    if (first == no_slot || !ready.has(first)) return first;
    ThreadSet seen = tried;
    seen.add(first);
    ThreadSlot next = branches.first_beyond(seen);
    if (next == no_slot) return first;
    ThreadSlot best = first;
    std::uint32_t best_score = score_of(track, first);
    for (; next != no_slot; next = branches.first_beyond(seen)) {
        seen.add(next);
        const std::uint32_t score = ready.has(next) ? score_of(track, next) : 0;
        if (score <= best_score) continue;
        best = next;
        best_score = score;
    }
    return best;
}

}  // namespace raddle
