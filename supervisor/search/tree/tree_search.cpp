#include "supervisor/search/tree/tree_search.h"

#include <algorithm>

#include "supervisor/base/error.h"

namespace raddle {

TreeSearch::TreeSearch(Rule rule) : rule_(rule) { nodes_.emplace_back(); }

// ---- the tree

std::uint32_t TreeSearch::new_node(std::uint32_t parent, TreeStep step, const Footprint& touches) {
    std::uint32_t node;
    if (free_nodes_.empty()) {
        node = static_cast<std::uint32_t>(nodes_.size());
        nodes_.emplace_back();
    } else {
        node = free_nodes_.back();
        free_nodes_.pop_back();
    }
    Node& fresh = nodes_[node];
    Node& above = nodes_[parent];
    fresh.parent = parent;
    fresh.depth = above.depth + 1;
    fresh.step = step;
    fresh.wake = none;
    fresh.open = 0;
    fresh.out = false;
    fresh.settled = false;
    fresh.inner = false;
    fresh.done = false;
    fresh.sleep.clear();
    for (const auto& [asleep, below, open] : above.sleep)
        if (asleep.step.thread != step.thread && !depend(asleep.touches, touches)) fresh.sleep.push_back({asleep});
    fresh.own = static_cast<std::uint32_t>(fresh.sleep.size());
    fresh.rank = static_cast<std::uint32_t>(above.sleep.size());
    above.sleep.push_back({{step, touches}, none, true});
    ++above.open;
    return node;
}

std::uint32_t TreeSearch::new_wake(TreeStep step, const Footprint& touches) {
    ++wakes_in_use_;
    std::uint32_t wake;
    if (free_wakes_.empty()) {
        wake = static_cast<std::uint32_t>(wakes_.size());
        wakes_.emplace_back();
    } else {
        wake = free_wakes_.back();
        free_wakes_.pop_back();
    }
    wakes_[wake] = {step, touches, none, none};
    return wake;
}

// Behind the last branch of the node (or of the wake below it, if one is given).
void TreeSearch::add_sibling(std::uint32_t node, std::uint32_t parent_wake, std::uint32_t wake) {
    std::uint32_t* link = parent_wake == none ? &nodes_[node].wake : &wakes_[parent_wake].child;
    while (*link != none) link = &wakes_[*link].sibling;
    *link = wake;
    if (parent_wake != none) return;
    ready_.insert({nodes_[node].depth, node});
    reopen(node);
}

// Turns the node's first branch into a child. The branch sleeps for the siblings that are taken after it.
std::uint32_t TreeSearch::take_first_wake(std::uint32_t node) {
    const std::uint32_t wake = nodes_[node].wake;
    const Wake branch = wakes_[wake];
    nodes_[node].wake = branch.sibling;
    if (branch.sibling == none) ready_.erase({nodes_[node].depth, node});
    free_wakes_.push_back(wake);
    --wakes_in_use_;

    const std::uint32_t child = new_node(node, branch.step, branch.touches);
    if (branch.child == none) return child;
    nodes_[child].wake = branch.child;
    nodes_[child].inner = true;
    nodes_[node].sleep.back().below = child;
    ready_.insert({nodes_[child].depth, child});
    return child;
}

TreePlan TreeSearch::plan_for(std::uint32_t leaf, Position fresh) const {
    TreePlan plan;
    plan.leaf = leaf;
    plan.fresh = fresh;
    for (std::uint32_t at = leaf; nodes_[at].parent != none; at = nodes_[at].parent) plan.path.push_back(nodes_[at].step);
    std::reverse(plan.path.begin(), plan.path.end());
    for (const Asleep& asleep : nodes_[leaf].sleep) plan.sleeping.push_back(asleep.step);
    return plan;
}

std::optional<TreePlan> TreeSearch::next() {
    if (!redo_.empty()) {
        const std::uint32_t leaf = redo_.back();
        redo_.pop_back();
        return plan_for(leaf, 0);
    }
    if (!started_) {
        started_ = true;
        nodes_[0].out = true;
        return plan_for(0, 0);
    }
    if (ready_.empty()) return std::nullopt;
    std::uint32_t leaf = ready_.rbegin()->second;
    const Position fresh = nodes_[leaf].depth;
    do leaf = take_first_wake(leaf);
    while (nodes_[leaf].wake != none);
    nodes_[leaf].out = true;
    return plan_for(leaf, fresh);
}

// Done nodes leave the tree, and those above that were only waiting for them.
void TreeSearch::close(std::uint32_t node) {
    while (nodes_[node].wake == none && nodes_[node].open == 0 && !nodes_[node].out) {
        const std::uint32_t parent = nodes_[node].parent;
        if (parent == none) {
            finished_ = true;
            return;
        }
        nodes_[node].done = true;
        nodes_[parent].sleep[nodes_[node].rank].open = false;
        --nodes_[parent].open;
        if (!nodes_[node].inner || !may_be_entered(node)) discard(node);
        discard_what_is_not_entered_any_more(parent);
        node = parent;
    }
}

// There is more to be run below after all.
void TreeSearch::reopen(std::uint32_t node) {
    for (; nodes_[node].done; node = nodes_[node].parent) {
        nodes_[node].done = false;
        Node& above = nodes_[nodes_[node].parent];
        above.sleep[nodes_[node].rank].open = true;
        ++above.open;
    }
}

// A branch that was taken before, here or further up, is not done: what is found below it may have to be entered here.
bool TreeSearch::may_be_entered(std::uint32_t node) const {
    for (;; node = nodes_[node].parent) {
        const Node& above = nodes_[nodes_[node].parent];
        for (std::uint32_t rank = above.own; rank < nodes_[node].rank; ++rank)
            if (above.sleep[rank].open) return true;
        if (!above.inner) return false;
    }
}

void TreeSearch::discard(std::uint32_t node) {
    nodes_[nodes_[node].parent].sleep[nodes_[node].rank].below = none;
    const std::size_t before = free_nodes_.size();
    free_nodes_.push_back(node);
    for (std::size_t next = before; next < free_nodes_.size(); ++next) {
        Node& gone = nodes_[free_nodes_[next]];
        for (const Asleep& branch : gone.sleep)
            if (branch.below != none) free_nodes_.push_back(branch.below);
        gone.sleep.clear();
        gone.own = 0;
    }
}

void TreeSearch::discard_what_is_not_entered_any_more(std::uint32_t node) {
    for (std::uint32_t rank = nodes_[node].own; rank < nodes_[node].sleep.size(); ++rank) {
        const Asleep& branch = nodes_[node].sleep[rank];
        if (branch.open) return;
        if (branch.below == none) continue;
        if (may_be_entered(branch.below)) return;
        discard(branch.below);
    }
}

void TreeSearch::abandon(const TreePlan& plan) {
    nodes_[plan.leaf].out = false;
    close(plan.leaf);
}

void TreeSearch::learn(const TreePlan& plan, Track& track) {
    nodes_[plan.leaf].out = false;
    path_.assign(track.size() + 1, none);
    const auto length = static_cast<Position>(plan.path.size());
    std::uint32_t at = plan.leaf;
    for (Position i = length + 1; i-- > 0; at = nodes_[at].parent) path_[i] = at;
    for (Position i = length; i < track.size(); ++i) {
        const TreeStep step{track[i].thread, track[i].value};
        const Footprint touches = footprint(track[i].outcome);
        path_[i + 1] = new_node(path_[i], step, touches);
    }

    log_.record(track);
    for (Position i = 0; i < track.size(); ++i) {
        Node& reached = nodes_[path_[i + 1]];
        if (i < plan.fresh && reached.settled) continue;
        reached.settled = settle(track, i);
    }
    for (ThreadSlot thread = 0; thread < track.machine().thread_count(); ++thread)
        if (track.machine().thread(thread).life == Life::announced) find_races_of_pending(track, thread);
    close(path_[track.size()]);
}

// ---- races

Footprint TreeSearch::footprint(const Outcome& outcome) {
    Footprint touches;
    touches.count = outcome.access_count;
    std::copy(outcome.access, outcome.access + outcome.access_count, touches.access);
    return touches;
}

bool TreeSearch::depend(const Footprint& a, const Footprint& b) {
    for (std::uint8_t i = 0; i < a.count; ++i)
        for (std::uint8_t j = 0; j < b.count; ++j)
            if (a.access[i].object == b.access[j].object &&
                (a.access[i].mode == Mode::exclusive || b.access[j].mode == Mode::exclusive))
                return true;
    return false;
}

// Enters everything the event can be reversed with. True if executions that begin like this one, up to the event, would
// enter no more.
bool TreeSearch::settle(Track& track, Position event) {
    looked_at_ = event;
    left_open_ = false;
    find_races(track, event);
    if (track[event].ways > 1) find_other_values(track, event);
    return !left_open_;
}

void TreeSearch::find_races(Track& track, Position event) {
    const TrackEvent& late = track[event];
    const Outcome outcome = late.outcome;
    const Action action = late.action;
    find_races(track, late.thread, late.previous, outcome.access, outcome.access_count, event, action,
               outcome.effect == Effect::done);
}

void TreeSearch::find_races_of_pending(Track& track, ThreadSlot thread) {
    Access accesses[4];
    const std::uint8_t count = track.machine().pending_accesses(thread, accesses);
    const Action action = track.machine().thread(thread).pending;
    find_races(track, thread, track.last_of(thread), accesses, count, track.size(), action, false);
}

namespace {

// What the action has to wait for whatever happens: trying to put it before would be in vain. Cheap answers for the
// frequent cases only; the machine knows the others.
bool waits_for(const Action& action, bool succeeded, const TrackEvent& earlier) {
    if (can_lapse(action) || earlier.outcome.effect != Effect::done || earlier.outcome.misuse != Misuse::none) return false;
    switch (action.operation) {
        case Operation::mutex_lock:
        case Operation::mutex_relock: return earlier.action.operation == Operation::mutex_unlock;
        case Operation::spin_lock: return earlier.action.operation == Operation::spin_unlock;
        case Operation::thread_join: return succeeded && earlier.action.operation == Operation::thread_exit;
        default: return false;
    }
}

}  // namespace

// The races of one action, done or pending, with the events before it: those it depends on, that do not happen before
// it otherwise, and that it can be put in front of; where one such happens before another, only the later one.
void TreeSearch::find_races(Track& track, ThreadSlot thread, Position own, const Access* accesses, std::uint8_t count,
                            Position before, const Action& action, bool succeeded) {
    Footprint touches;
    touches.count = count;
    std::copy(accesses, accesses + count, touches.access);
    reversed_.clear();
    for (std::uint8_t a = 0; a < count; ++a) {
        const auto find_end = [&] {
            const std::vector<Track::Accessed>& log = track.accesses(accesses[a].object);
            return std::partition_point(log.begin(), log.end(), [&](const Track::Accessed& one) { return one.at < before; }) -
                   log.begin();
        };
        for (auto i = find_end(); i-- > 0;) {
            const Track::Accessed earlier = track.accesses(accesses[a].object)[static_cast<std::size_t>(i)];
            if (accesses[a].mode == Mode::shared && earlier.mode == Mode::shared) continue;
            const bool ordered = (own != nowhere && track.before(earlier.at, own)) ||
                                 std::any_of(reversed_.begin(), reversed_.end(),
                                             [&](Position later) { return track.before(earlier.at, later); });
            const bool reversible = !ordered && track[earlier.at].thread != thread &&
                                    !waits_for(action, succeeded, track[earlier.at]) &&
                                    reverse(track, earlier.at, thread, 0, action, touches);
            if (reversible) reversed_.push_back(earlier.at);
            // All accesses before an exclusive one happen before it.
            if ((ordered || reversible) && earlier.mode == Mode::exclusive) break;
        }
    }
}

void TreeSearch::find_other_values(Track& track, Position event) {
    const TreeStep taken{track[event].thread, track[event].value};
    const Action action = track[event].action;
    const std::uint32_t ways = track[event].ways;
    const Footprint touches = footprint(track[event].outcome);
    for (std::uint32_t value = 0; value < ways; ++value)
        if (value != taken.value) reverse(track, event, taken.thread, value, action, touches);
}

namespace {

// Whether the action can take place anywhere, and touches the same wherever it does.
bool is_the_same_everywhere(const Action& action) {
    if ((action.flags & (flag::cancellable | flag::timed | flag::spins)) != 0) return false;
    switch (action.operation) {
        case Operation::memory_read:
        case Operation::memory_write:
        case Operation::memory_update: return true;
        default: return false;
    }
}

}  // namespace

// Builds the sequence that has the thread's step before the event at `first`: all that does not happen after that
// event, then the step. False if the step cannot be taken there.
bool TreeSearch::reverse(Track& track, Position first, ThreadSlot thread, std::uint32_t value, const Action& action,
                         const Footprint& expected) {
    reversal_.clear();
    for (Position i = first + 1; i < track.size(); ++i)
        if (!track.before(first, i)) {
            reversal_.push_back({{track[i].thread, track[i].value}, footprint(track[i].outcome), i});
            // What covers or holds this choice does so for no other choice.
            if (track[i].ways > 1 && i > looked_at_) left_open_ = true;
        }
    // What begins with a step that is covered need not be tried; but then it is not known to be possible either.
    const bool is_exchange = action.operation == Operation::memory_exchange &&
                             (action.flags & (flag::cancellable | flag::timed | flag::spins)) == 0;
    if (const SleepStep* covering = covering_first_step(track, first)) {
        note_covered(track, first, *covering);
        return is_the_same_everywhere(action) || is_exchange;
    }
    Reversal last{{thread, value}, expected};
    if (is_the_same_everywhere(action))
        for (Reversal& earlier : reversal_) earlier.before_last = depend(earlier.touches, expected);
    else if (!try_on_machine(track, first, last))
        return false;
    reversal_.push_back(last);
    insert(track, first);
    return true;
}

// A step that the reversal begins with, and that was covered when the execution's own branch was taken.
const SleepStep* TreeSearch::covering_first_step(const Track& track, Position first) const {
    std::size_t taken = 0;
    const std::vector<Asleep>& sleep = nodes_[path_[first]].sleep;
    for (std::uint32_t rank = 0; rank <= nodes_[path_[first + 1]].rank; ++rank) {
        const SleepStep& asleep = sleep[rank].step;
        if (covered_by(track, asleep.step, asleep.touches, &taken) && taken < reversal_.size()) return &asleep;
    }
    return nullptr;
}

// A reversal is made of all that an execution goes on with. Where the covering step is not taken before the event that
// is looked at, another execution that begins alike can have something that conflicts with it first: there the reversal
// is not covered, and what it leads to is found nowhere else. (Nothing conflicts with a choice that touches nothing.)
void TreeSearch::note_covered(const Track& track, Position first, const SleepStep& covering) {
    for (Position i = first; i < track.size() && i <= looked_at_; ++i)
        if (track[i].thread == covering.step.thread && (i > first || covering.touches.count == 0)) return;
    left_open_ = true;
}

bool TreeSearch::try_on_machine(Track& track, Position first, Reversal& last) {
    const Position end = track.size();
    track.pop_to(first);
    for (const Reversal& step : reversal_) log_.replay(track, step.at);
    const bool possible = last.step.value < track.machine().alternatives(last.step.thread).count;
    if (possible) {
        last.touches = footprint(track.push(last.step.thread, last.step.value).outcome);
        for (std::size_t i = 0; i < reversal_.size(); ++i)
            reversal_[i].before_last = track.before(first + static_cast<Position>(i), track.size() - 1);
    }
    track.pop_to(first);
    for (Position i = first; i < end; ++i) log_.replay(track, i);
    return possible;
}

// ---- entering a reversal into the tree

bool TreeSearch::happens_before_in(const Track& track, const Reversal& earlier, const Reversal& later) {
    if (earlier.step.thread == later.step.thread) return true;
    if (later.at != nowhere) return track.before(earlier.at, later.at);
    return earlier.before_last;
}

// Nothing that is left of the reversal happens before its step `index`.
bool TreeSearch::comes_first(const Track& track, std::size_t index) const {
    for (std::size_t i = 0; i < index; ++i)
        if (reversal_[i].alive && happens_before_in(track, reversal_[i], reversal_[index])) return false;
    return true;
}

// The step can be moved to the front of what is left of the reversal: either it is in there (`taken`), or it is
// independent of all of it.
bool TreeSearch::covered_by(const Track& track, const TreeStep& step, const Footprint& touches, std::size_t* taken) const {
    *taken = reversal_.size();
    for (std::size_t i = 0; i < reversal_.size(); ++i) {
        if (!reversal_[i].alive || reversal_[i].step.thread != step.thread) continue;
        *taken = i;
        return reversal_[i].step.value == step.value && comes_first(track, i);
    }
    return std::none_of(reversal_.begin(), reversal_.end(),
                        [&](const Reversal& other) { return other.alive && depend(other.touches, touches); });
}

void TreeSearch::insert(const Track& track, Position first) {
    const std::uint32_t node = path_[first];
    // A step that is not in the sequence covers it only where whole sequences are entered: a single first step says
    // nothing of what comes after.
    const bool whole = rule_ == Rule::optimal;
    std::size_t taken = 0;
    for (std::uint32_t rank = 0; rank <= nodes_[path_[first + 1]].rank; ++rank) {
        const SleepStep& asleep = nodes_[node].sleep[rank].step;
        if (covered_by(track, asleep.step, asleep.touches, &taken) && (whole || taken < reversal_.size()))
            return note_covered(track, first, asleep);
    }
    whole ? insert_whole(track, first) : insert_first_step(track, node);
}

void TreeSearch::insert_first_step(const Track& track, std::uint32_t node) {
    std::size_t taken = 0;
    const auto begins_with = [&](const TreeStep& step, const Footprint& touches) {
        return covered_by(track, step, touches, &taken) && taken < reversal_.size();
    };
    for (const Asleep& branch : nodes_[node].sleep)
        if (begins_with(branch.step.step, branch.step.touches)) return;
    for (std::uint32_t wake = nodes_[node].wake; wake != none; wake = wakes_[wake].sibling)
        if (begins_with(wakes_[wake].step, wakes_[wake].touches)) return;
    for (std::size_t i = reversal_.size(); i-- > 0;)
        if (comes_first(track, i)) return add_sibling(node, none, new_wake(reversal_[i].step, reversal_[i].touches));
}

// Goes down the branches taken later than the execution's own, then those still to be taken, as long as one begins as the
// reversal does. Where such a branch ends, everything below is run, and there is nothing to enter.
void TreeSearch::insert_whole(const Track& track, Position first) {
    std::size_t taken = 0;
    std::size_t left = reversal_.size();
    std::uint32_t node = path_[first];
    for (std::uint32_t rank = nodes_[path_[first + 1]].rank + 1; rank < nodes_[node].sleep.size();) {
        const Asleep& branch = nodes_[node].sleep[rank];
        if (!covered_by(track, branch.step.step, branch.step.touches, &taken)) {
            ++rank;
            continue;
        }
        if (drop_from_reversal(taken, left) || branch.below == none) return;
        node = branch.below;
        rank = nodes_[node].own;
    }
    std::uint32_t below = none;
    for (std::uint32_t wake = nodes_[node].wake; wake != none;) {
        if (!covered_by(track, wakes_[wake].step, wakes_[wake].touches, &taken)) {
            wake = wakes_[wake].sibling;
            continue;
        }
        if (drop_from_reversal(taken, left) || wakes_[wake].child == none) return;
        below = wake;
        wake = wakes_[wake].child;
    }
    for (const Reversal& step : reversal_) {
        if (!step.alive) continue;
        const std::uint32_t fresh = new_wake(step.step, step.touches);
        add_sibling(node, below, fresh);
        below = fresh;
    }
}

// True if nothing is left.
bool TreeSearch::drop_from_reversal(std::size_t taken, std::size_t& left) {
    if (taken == reversal_.size()) return false;
    reversal_[taken].alive = false;
    return --left == 0;
}

}  // namespace raddle
