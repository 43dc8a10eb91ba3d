// Inserts a reversal into the tree of tree_search.h.
#include <algorithm>

#include "supervisor/search/tree/tree_search.h"

namespace raddle {

bool TreeSearch::happens_before_in(const Track& track, const Reversal& earlier, const Reversal& later) {
    if (earlier.step.thread == later.step.thread) return true;
    if (later.at != nowhere) return track.before(earlier.at, later.at);
    return earlier.before_last;
}

// No remaining step of the reversal happens before its step `index`.
bool TreeSearch::comes_first(const Track& track, std::size_t index) const {
    for (std::size_t i = 0; i < index; ++i)
        if (reversal_[i].alive && happens_before_in(track, reversal_[i], reversal_[index])) return false;
    return true;
}

// True if the step can be moved to the front of the remaining reversal: it is one of its steps (`taken`), or it is
// independent of all of them.
bool TreeSearch::covered_by(const Track& track, const TreeStep& step, const Footprint& used, std::size_t* taken) const {
    *taken = reversal_.size();
    for (std::size_t i = 0; i < reversal_.size(); ++i) {
        if (!reversal_[i].alive || reversal_[i].step.thread != step.thread) continue;
        *taken = i;
        return reversal_[i].step.value == step.value && comes_first(track, i);
    }
    return std::none_of(reversal_.begin(), reversal_.end(),
                        [&](const Reversal& other) { return other.alive && disturbs(other.used, used); });
}

void TreeSearch::insert(const Track& track, Position first) {
    const std::uint32_t node = path_[first];
    // A step outside the reversal covers it only if whole reversals are inserted: a single first step says nothing
    // about the steps after it.
    const bool whole = rule_ == Rule::optimal;
    std::size_t taken = 0;
    for (std::uint32_t rank = 0; rank <= nodes_[path_[first + 1]].rank; ++rank) {
        const SleepStep& asleep = nodes_[node].sleep[rank].step;
        if (covered_by(track, asleep.step, asleep.used, &taken) && (whole || taken < reversal_.size()))
            return note_covered(track, first, asleep);
    }
    whole ? insert_whole(track, first) : insert_first_step(track, node);
}

void TreeSearch::insert_first_step(const Track& track, std::uint32_t node) {
    std::size_t taken = 0;
    const auto begins_with = [&](const TreeStep& step, const Footprint& used) {
        return covered_by(track, step, used, &taken) && taken < reversal_.size();
    };
    for (const Sleeping& branch : nodes_[node].sleep)
        if (begins_with(branch.step.step, branch.step.used)) return;
    for (std::uint32_t wake = nodes_[node].wake; wake != none; wake = wakes_[wake].sibling)
        if (begins_with(wakes_[wake].step, wakes_[wake].used)) return;
    for (std::size_t i = reversal_.size(); i-- > 0;)
        if (comes_first(track, i)) return add_sibling(node, none, new_wake(reversal_[i].step, reversal_[i].used));
}

// Goes down the branches taken after the execution's own, and then the wanted ones, as long as one covers the first
// steps of the reversal. If such a branch ends, everything below it is run, and nothing has to be inserted.
void TreeSearch::insert_whole(const Track& track, Position first) {
    std::size_t taken = 0;
    std::size_t left = reversal_.size();
    std::uint32_t node = path_[first];
    for (std::uint32_t rank = nodes_[path_[first + 1]].rank + 1; rank < nodes_[node].sleep.size();) {
        const Sleeping& branch = nodes_[node].sleep[rank];
        if (!covered_by(track, branch.step.step, branch.step.used, &taken)) {
            ++rank;
            continue;
        }
        if (drop_from_reversal(taken, left) || branch.below == none) return;
        node = branch.below;
        rank = nodes_[node].own;
    }
    std::uint32_t below = none;
    for (std::uint32_t wake = nodes_[node].wake; wake != none;) {
        if (!covered_by(track, wakes_[wake].step, wakes_[wake].used, &taken)) {
            wake = wakes_[wake].sibling;
            continue;
        }
        if (drop_from_reversal(taken, left) || wakes_[wake].child == none) return;
        below = wake;
        wake = wakes_[wake].child;
    }
    for (const Reversal& step : reversal_) {
        if (!step.alive) continue;
        const std::uint32_t fresh = new_wake(step.step, step.used);
        add_sibling(node, below, fresh);
        below = fresh;
    }
}

// Removes the step from the reversal. True if nothing is left.
bool TreeSearch::drop_from_reversal(std::size_t taken, std::size_t& left) {
    if (taken == reversal_.size()) return false;
    reversal_[taken].alive = false;
    return --left == 0;
}

}  // namespace raddle
