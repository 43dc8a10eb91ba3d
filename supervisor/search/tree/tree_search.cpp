#include "supervisor/search/tree/tree_search.h"

#include <algorithm>

#include "supervisor/base/error.h"

namespace raddle {

TreeSearch::TreeSearch(Rule rule) : rule_(rule) { nodes_.emplace_back(); }

// ---- the tree

std::uint32_t TreeSearch::new_node(std::uint32_t parent, TreeStep step, const Footprint& used) {
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
        if (asleep.step.thread != step.thread && !disturbs(used, asleep.used)) fresh.sleep.push_back({asleep});
    fresh.own = static_cast<std::uint32_t>(fresh.sleep.size());
    fresh.rank = static_cast<std::uint32_t>(above.sleep.size());
    above.sleep.push_back({{step, used}, none, true});
    ++above.open;
    return node;
}

std::uint32_t TreeSearch::new_wake(TreeStep step, const Footprint& used) {
    ++wakes_in_use_;
    std::uint32_t wake;
    if (free_wakes_.empty()) {
        wake = static_cast<std::uint32_t>(wakes_.size());
        wakes_.emplace_back();
    } else {
        wake = free_wakes_.back();
        free_wakes_.pop_back();
    }
    wakes_[wake] = {step, used, none, none};
    return wake;
}

// Adds the wakeup node after the last branch of the node, or of `parent_wake` if one is given.
void TreeSearch::add_sibling(std::uint32_t node, std::uint32_t parent_wake, std::uint32_t wake) {
    std::uint32_t* link = parent_wake == none ? &nodes_[node].wake : &wakes_[parent_wake].child;
    while (*link != none) link = &wakes_[*link].sibling;
    *link = wake;
    if (parent_wake != none) return;
    ready_.insert({nodes_[node].depth, node});
    reopen(node);
}

// Turns the node's first wanted branch into a child. The branch joins the sleep set of the siblings taken after it.
std::uint32_t TreeSearch::take_first_wake(std::uint32_t node) {
    const std::uint32_t wake = nodes_[node].wake;
    const WakeupNode branch = wakes_[wake];
    nodes_[node].wake = branch.sibling;
    if (branch.sibling == none) ready_.erase({nodes_[node].depth, node});
    free_wakes_.push_back(wake);
    --wakes_in_use_;

    const std::uint32_t child = new_node(node, branch.step, branch.used);
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
    for (std::uint32_t at = leaf; nodes_[at].parent != none; at = nodes_[at].parent)
        plan.path.push_back(nodes_[at].step);
    std::reverse(plan.path.begin(), plan.path.end());
    for (const Sleeping& asleep : nodes_[leaf].sleep) plan.sleeping.push_back(asleep.step);
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

// Closes a done node, and each node above that has nothing else open.
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
        if (!nodes_[node].inner || !may_get_insertions(node)) discard(node);
        discard_finished_branches(parent);
        node = parent;
    }
}

// A done node gets a new branch: it and the nodes above are open again.
void TreeSearch::reopen(std::uint32_t node) {
    for (; nodes_[node].done; node = nodes_[node].parent) {
        nodes_[node].done = false;
        Node& above = nodes_[nodes_[node].parent];
        above.sleep[nodes_[node].rank].open = true;
        ++above.open;
    }
}

// True if an earlier branch, here or at a node above, is not done: its reversals may have to be inserted here.
bool TreeSearch::may_get_insertions(std::uint32_t node) const {
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
        for (const Sleeping& branch : gone.sleep)
            if (branch.below != none) free_nodes_.push_back(branch.below);
        gone.sleep.clear();
        gone.own = 0;
    }
}

void TreeSearch::discard_finished_branches(std::uint32_t node) {
    for (std::uint32_t rank = nodes_[node].own; rank < nodes_[node].sleep.size(); ++rank) {
        const Sleeping& branch = nodes_[node].sleep[rank];
        if (branch.open) return;
        if (branch.below == none) continue;
        if (may_get_insertions(branch.below)) return;
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
        const Footprint used = footprint(track[i].outcome);
        path_[i + 1] = new_node(path_[i], step, used);
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

Footprint TreeSearch::footprint(const ActionOutcome& outcome) {
    Footprint used;
    used.count = outcome.use_count;
    std::copy(outcome.uses, outcome.uses + outcome.use_count, used.use);
    return used;
}

bool TreeSearch::depend(const Footprint& a, const Footprint& b) {
    for (std::uint8_t i = 0; i < a.count; ++i)
        for (std::uint8_t j = 0; j < b.count; ++j)
            if (raddle::depend(a.use[i], b.use[j])) return true;
    return false;
}

bool TreeSearch::disturbs(const Footprint& happened, const Footprint& other) {
    for (std::uint8_t i = 0; i < happened.count; ++i)
        for (std::uint8_t j = 0; j < other.count; ++j)
            if (raddle::disturbs(happened.use[i], other.use[j])) return true;
    return false;
}

bool TreeSearch::was_contested(const Footprint& used) {
    return std::any_of(used.use, used.use + used.count, [](const ObjectUse& use) { return use.was_contested; });
}

// Inserts all reversals of the event's races. True if no other execution with this prefix, up to the event, would
// insert more.
bool TreeSearch::settle(Track& track, Position event) {
    later_event_ = event;
    left_open_ = false;
    find_races(track, event);
    if (track[event].ways > 1) find_other_values(track, event);
    return !left_open_;
}

void TreeSearch::find_races(Track& track, Position event) {
    const TrackEvent& late = track[event];
    const ActionOutcome outcome = late.outcome;
    const Action action = late.action;
    find_races(track, late.thread, late.previous, outcome.uses, outcome.use_count, event, action,
               outcome.effect == Effect::done);
}

void TreeSearch::find_races_of_pending(Track& track, ThreadSlot thread) {
    later_event_ = track.size();
    ObjectUse uses[most_uses];
    const std::uint8_t count = track.machine().pending_uses(thread, uses);
    const Action action = track.machine().thread(thread).pending;
    find_races(track, thread, track.last_of(thread), uses, count, track.size(), action, false);
}

namespace {

// True if the action can never run before the earlier event, as it waits for it. This is a cheap answer for the
// frequent cases; the machine decides the others.
bool waits_for(const Action& action, bool succeeded, const TrackEvent& earlier) {
    if (can_be_left(action) || earlier.outcome.effect != Effect::done || earlier.outcome.misuse != Misuse::none)
        return false;
    const OperationTraits& what = traits(action.operation);
    const OperationTraits& before = traits(earlier.action.operation);
    if (what.waits == Wait::owner) return before.ends == Wait::owner && before.kind == what.kind;
    return what.waits == Wait::thread_end && succeeded && before.ends == Wait::thread_end;
}

}  // namespace

// Finds the races of one action, done or pending. An earlier event races with it if the two depend, if no other event
// orders them, and if the action can run before the event. If one such event happens before another, only the later one
// races.
void TreeSearch::find_races(Track& track, ThreadSlot thread, Position own, const ObjectUse* uses, std::uint8_t count,
                            Position before, const Action& action, bool succeeded) {
    Footprint used;
    used.count = count;
    std::copy(uses, uses + count, used.use);
    reversed_.clear();
    for (std::uint8_t a = 0; a < count; ++a) {
        const auto find_end = [&] {
            const std::vector<Track::UsedAt>& log = track.uses_of(uses[a].object);
            return std::partition_point(log.begin(), log.end(),
                                        [&](const Track::UsedAt& one) { return one.at < before; }) -
                   log.begin();
        };
        for (auto i = find_end(); i-- > 0;) {
            const Track::UsedAt earlier = track.uses_of(uses[a].object)[static_cast<std::size_t>(i)];
            if (commute(uses[a].mode, earlier.mode)) continue;
            const bool ordered = (own != nowhere && track.before(earlier.at, own)) ||
                                 std::any_of(reversed_.begin(), reversed_.end(),
                                             [&](Position later) { return track.before(earlier.at, later); });
            const bool may_race =
                !ordered && track[earlier.at].thread != thread && !waits_for(action, succeeded, track[earlier.at]);
            const bool reversible = may_race && reverse(track, earlier.at, thread, 0, action, used);
            if (may_race && !reversible) reverse_with_others(track, earlier.at, thread, own, used);
            if (reversible) reversed_.push_back(earlier.at);
            // Every use before an exclusive one happens before it.
            if ((ordered || reversible) && earlier.mode == Mode::exclusive) break;
        }
    }
}

void TreeSearch::find_other_values(Track& track, Position event) {
    const TreeStep taken{track[event].thread, track[event].value};
    const Action action = track[event].action;
    const std::uint32_t ways = track[event].ways;
    const Footprint used = footprint(track[event].outcome);
    for (std::uint32_t value = 0; value < ways; ++value)
        if (value != taken.value) reverse(track, event, taken.thread, value, action, used);
}

namespace {

bool is_unconditional_access(const Action& action) {
    return traits(action.operation).access != MemoryAccess::no_access &&
           (action.flags & (flag::cancellable | flag::timed | flag::spins)) == 0;
}

// True if the action is enabled in every state and has the same uses everywhere.
bool is_the_same_everywhere(const Action& action) {
    const OperationTraits& what = traits(action.operation);
    return is_unconditional_access(action) && what.done[0] == what.failed[0] && what.done[1] == what.failed[1];
}

}  // namespace

// Builds the reversal: all later events that do not happen after the event at `first`, then the thread's step. False if
// the step is not enabled there.
bool TreeSearch::reverse(Track& track, Position first, ThreadSlot thread, std::uint32_t value, const Action& action,
                         const Footprint& expected) {
    reversal_.clear();
    for (Position i = first + 1; i < track.size(); ++i)
        if (!track.before(first, i)) {
            reversal_.push_back({{track[i].thread, track[i].value}, footprint(track[i].outcome), i});
            // A cover of this choice does not cover its alternatives, nor this reversal another order of later events.
            if (i > later_event_ && !left_open_) left_open_ = track[i].ways > 1 || hinders_pending(track, i);
        }
    // A reversal with a covered first step need not be tried; but then the machine did not show that it is possible.
    if (const SleepStep* covering = covering_first_step(track, first)) {
        note_covered(track, first, *covering);
        return is_unconditional_access(action);
    }
    Reversal last{{thread, value}, expected};
    const bool keeps_its_uses =
        std::none_of(reversal_.begin(), reversal_.end(), [](const Reversal& step) { return was_contested(step.used); });
    if (is_the_same_everywhere(action) && keeps_its_uses)
        for (Reversal& earlier : reversal_) earlier.before_last = depend(earlier.used, expected);
    else if (!try_on_machine(track, first, last))
        return false;
    reversal_.push_back(last);
    insert(track, first);
    return true;
}

// The event keeps an action from running that waits at the end. In another execution with the same prefix it may come
// after that action.
bool TreeSearch::hinders_pending(const Track& track, Position event) const {
    const Footprint used = footprint(track[event].outcome);
    for (ThreadSlot thread = 0; thread < track.machine().thread_count(); ++thread) {
        if (thread == track[event].thread || track.machine().thread(thread).life != Life::announced) continue;
        Footprint pending;
        pending.count = track.machine().pending_uses(thread, pending.use);
        if (depend(used, pending)) return true;
    }
    return false;
}

// A first step of the reversal that was in the sleep set when the execution's own branch was taken.
const SleepStep* TreeSearch::covering_first_step(const Track& track, Position first) const {
    std::size_t taken = 0;
    const std::vector<Sleeping>& sleep = nodes_[path_[first]].sleep;
    for (std::uint32_t rank = 0; rank <= nodes_[path_[first + 1]].rank; ++rank) {
        const SleepStep& asleep = sleep[rank].step;
        if (covered_by(track, asleep.step, asleep.used, &taken) && taken < reversal_.size()) return &asleep;
    }
    return nullptr;
}

// A reversal depends on the rest of its execution. If the covering step comes after the later event of the race,
// another execution with the same prefix may run a conflicting event first. Its reversal is then not covered, so the
// event must not count as settled. (A choice without uses conflicts with nothing.)
void TreeSearch::note_covered(const Track& track, Position first, const SleepStep& covering) {
    for (Position i = first; i < track.size() && i <= later_event_; ++i)
        if (track[i].thread == covering.step.thread && (i > first || covering.used.count == 0)) return;
    left_open_ = true;
}

bool TreeSearch::try_on_machine(Track& track, Position first, Reversal& last) {
    const Position end = track.size();
    track.pop_to(first);
    for (Reversal& step : reversal_) {
        log_.replay(track, step.at);
        step.used = footprint(track[track.size() - 1].outcome);
    }
    const bool possible = last.step.value < track.machine().alternatives(last.step.thread).count;
    if (possible) {
        last.used = footprint(track.push(last.step.thread, last.step.value).outcome);
        for (std::size_t i = 0; i < reversal_.size(); ++i)
            reversal_[i].before_last = track.before(first + static_cast<Position>(i), track.size() - 1);
    }
    track.pop_to(first);
    for (Position i = first; i < end; ++i) log_.replay(track, i);
    return possible;
}

}  // namespace raddle
