#include "supervisor/search/bounded/bounded_search.h"

#include <algorithm>
#include <span>

#include "supervisor/base/error.h"
#include "supervisor/model/tail.h"

namespace raddle {

void BoundedSearch::begin_pass(std::uint32_t bound) {
    CHECK(depth_ == 0 && walk_.track().size() == 0);
    bound_ = bound;
    spent_ = 0;
    unfinished_ = false;
    must_repeat_ = false;
    cut_ = false;
    at_unknown_ = false;
    pending_root_ = true;
}

void BoundedSearch::leave_pass() {
    for (; depth_ > 0; --depth_) below_.insert(below_.end(), top().below.begin(), top().below.end());
    pending_root_ = at_unknown_ = false;
    walk_.track().pop_to(0);
}

BoundedSearch::Stop BoundedSearch::advance() {
    if (pending_root_) {
        pending_root_ = false;
        if (!enter()) return Stop::done;
        if (top().enabled.empty()) return Stop::leaf;
    } else if (at_unknown_) {
        at_unknown_ = false;
        const TrackEvent& last = walk_.track()[walk_.track().size() - 1];
        if (walk_.announce(last)) {
            if (enter() && top().enabled.empty()) return Stop::leaf;
        } else {
            top().unfinished = true;
            walk_.back();
        }
    }
    while (depth_ > 0) {
        if (!take_next_step(top())) {
            finish();
            continue;
        }
        if (at_unknown_) return Stop::unknown;
        if (enter() && top().enabled.empty()) return Stop::leaf;
    }
    return Stop::done;
}

// Takes the node's next step within the bound. False if there is none left.
bool BoundedSearch::take_next_step(PathNode& node) {
    Machine& machine = walk_.machine();
    for (;;) {
        if (node.current == no_slot || node.next_value == node.values) {
            const bool last_first = node.last != no_slot && node.branches.has(node.last) && !node.tried.has(node.last);
            node.current = last_first ? node.last : scores_.best(walk_.track(), node.branches, node.tried, node.ready);
            if (node.current == no_slot) return false;
            node.tried.add(node.current);
            node.next_value = 0;
            node.values = machine.alternatives(node.current).count;
        }
        const std::uint32_t value = node.next_value++;
        if (machine.exceeds_threads(node.current)) {
            met_thread_limit_ = true;
            continue;
        }
        const std::uint32_t cost = cost_of(node, value);
        if (cost >= Machine::never || leaves_focus(machine, node.last, node.current, value)) continue;
        spent_ = node.spent + cost;
        if (spent_ > bound_) {
            node.cut = true;
            continue;
        }
        const bool is_known = walk_.step(node.current, value);
        scores_.note_last(walk_.track());
        if (!is_known) {
            const Hash128 past = walk_.track()[walk_.track().size() - 1].past;
            at_unknown_ = given_up_.find(past) == HashIndex::none;
        }
        return true;
    }
}

// Machine::cost, computed from the node's sets: much cheaper.
std::uint32_t BoundedSearch::cost_of(const PathNode& node, std::uint32_t value) const {
    const Machine& machine = walk_.machine();
    if (!node.ready.has(node.current) || value > 0) return machine.cost(node.last, node.current, value);
    return node.last != no_slot && node.last != node.current && node.ready.has(node.last) ? 1 : 0;
}

// Enters the node at the end of the walk; false if it was finished before: the search then leaves it at once.
bool BoundedSearch::enter() {
    Track& track = walk_.track();
    const ThreadSlot last = track.last_thread();
    const std::uint32_t left = bound_ - spent_;
    const Entry* known = walk_.is_beyond_known() ? nullptr : finished_before(track.node(), last, left);
    if (known != nullptr) {
        const Position depth = track.size();
        const NumberSet& summary = pool_[known->summary];
        summary.each([&](std::uint32_t number) { add_races_of(intents_[number]); });
        if (depth > 0) {
            pool_[known->lead].each([&](std::uint32_t thread) { branch_at_block(depth - 1, thread); });
            top().summary.add(summary);
            top().below.push_back(track.node());
            if (known->left != without_end) top().cut = true;
            walk_.back();
        } else {
            cut_ = known->left != without_end;
        }
        return false;
    }
    PathNode& node = push_node();
    node.begin(last, spent_);
    const Machine& machine = walk_.machine();
    const std::uint32_t threads = machine.thread_count();
    CHECK(threads <= ThreadSet::capacity);
    node.intents.resize(threads);
    for (ThreadSlot thread = 0; thread < threads; ++thread) {
        std::uint32_t& intent = node.intents[thread];
        intent = no_intent;
        if (machine.thread(thread).life != Life::announced) continue;
        const bool keeps = thread != last && keeps_intent(thread);
        if (keeps && is_left_alone(thread)) {
            if (above().ready.has(thread)) node.ready.add(thread);
            if (above().enabled.has(thread)) node.enabled.add(thread);
        } else {
            switch (machine.alternatives(thread).readiness) {
                case Readiness::ready: node.ready.add(thread); [[fallthrough]];
                case Readiness::timeout_only: node.enabled.add(thread); break;
                case Readiness::blocked: break;
            }
        }
        intent = keeps ? above().intents[thread] : intent_of(thread);
        node.summary.add(intent);
    }
    node.last_stuck = last != no_slot && !node.ready.has(last);
    for (ThreadSlot thread = 0; thread < threads; ++thread) {
        const std::uint32_t number = node.intents[thread];
        if (number == no_intent) continue;
        // An unchanged intent has its earlier races already; only the last event is new.
        const bool has_races = track.size() > 0 && thread != last && had_intent(thread, number);
        if (has_races)
            add_race_with_last_event(intents_[number]);
        else
            add_races_of(intents_[number]);
    }
    add_first_branch(top());
    // A race outside of the focus is reversed inside, by a switch that no race names.
    if (machine.options().has_focus) top().branches.add(top().enabled);
    return true;
}

// True if the thread, which did not run, has the same intent as at the node above.
bool BoundedSearch::keeps_intent(ThreadSlot thread) const {
    if (depth_ < 2) return false;
    const std::vector<std::uint32_t>& above = path_[depth_ - 2].intents;
    if (thread >= above.size() || above[thread] == no_intent) return false;
    const Action& pending = walk_.machine().thread(thread).pending;
    return traits(pending.operation).local ||
           (traits(pending.operation).waits == Wait::thread_end && is_left_alone(thread));
}

// Only a use of the thread's object, or of its cancel mark, could change its readiness. The last event used neither.
bool BoundedSearch::is_left_alone(ThreadSlot thread) const {
    const ThreadRecord& record = walk_.machine().thread(thread);
    if ((record.pending.flags & flag::timed) != 0) return false;
    const bool cancellable = (record.pending.flags & flag::cancellable) != 0;
    const ActionOutcome& last = walk_.track()[walk_.track().size() - 1].outcome;
    for (std::uint8_t a = 0; a < last.use_count; ++a)
        if (last.uses[a].object == record.object || (cancellable && last.uses[a].object == record.cancel_mark))
            return false;
    return true;
}

// The thread had this intent at the node above.
bool BoundedSearch::had_intent(ThreadSlot thread, std::uint32_t number) const {
    const std::vector<std::uint32_t>& above = path_[depth_ - 2].intents;
    return thread < above.size() && above[thread] == number;
}

void BoundedSearch::finish() {
    Track& track = walk_.track();
    PathNode& node = top();
    // Nodes inside a block are not worth caching: another path to them soon reaches the start of a cached block.
    const bool begins_block = track.size() == 0 || track[track.size() - 1].block == track.size() - 1;
    if (!node.unfinished && begins_block) {
        remember(node, track.node());
        node.below.assign(1, track.node());
    }
    if (depth_ == 1) {
        below_ = node.below;
        unfinished_ = node.unfinished || must_repeat_;
        cut_ = node.cut;
    } else {
        PathNode& above = this->above();
        above.summary.add(node.summary);
        if (above.below.empty())
            above.below.swap(node.below);
        else
            above.below.insert(above.below.end(), node.below.begin(), node.below.end());
        above.unfinished |= node.unfinished;
        above.cut |= node.cut;
        // A thread that raced with the block through this node raced with it at each node inside the block.
        const Position depth = track.size();
        if (track[depth - 1].block < depth - 1) above.lead.add(node.lead);
        walk_.back();
    }
    --depth_;
}

void BoundedSearch::PathNode::begin(ThreadSlot last_thread, std::uint32_t preemptions) {
    last = last_thread;
    spent = preemptions;
    enabled = ready = branches = tried = lead = {};
    summary.clear();
    below.clear();
    current = no_slot;
    next_value = values = 0;
    last_stuck = unfinished = cut = false;
}

BoundedSearch::PathNode& BoundedSearch::push_node() {
    if (depth_ == path_.size()) path_.emplace_back();
    return path_[depth_++];
}

// The same choice as a plan's tail, so that one execution serves the whole first descent.
void BoundedSearch::add_first_branch(PathNode& node) {
    const bool goes_on = node.last != no_slot && node.ready.has(node.last);
    const ThreadSlot first =
        goes_on ? node.last : run_on_thread(walk_.machine(), node.last, [](ThreadSlot) { return true; });
    if (first != no_slot) node.branches.add(first);
}

// ---- races

std::uint32_t BoundedSearch::intent_of(ThreadSlot thread) {
    const ThreadRecord& record = walk_.machine().thread(thread);
    const Operation operation = record.pending.operation;
    if (!traits(operation).local || (record.pending.flags & (flag::timed | flag::cancellable)) != 0)
        return fresh_intent_of(thread);
    KnownIntent& known = known_intents_[(thread * 31 + record.object * 5 + static_cast<std::uint32_t>(operation)) %
                                        known_intents_.size()];
    if (known.thread != thread || known.operation != operation || known.object != record.object)
        known = {thread, operation, record.object, fresh_intent_of(thread)};
    return known.number;
}

std::uint32_t BoundedSearch::fresh_intent_of(ThreadSlot thread) {
    Intent intent{};
    intent.thread = thread;
    intent.count = walk_.machine().pending_uses(thread, intent.uses);
    const Machine& machine = walk_.machine();
    const ThreadRecord& record = machine.thread(thread);
    constexpr std::uint32_t joinable = 0;
    const Wait waits = traits(record.pending.operation).waits;
    intent.waits_for_end = waits == Wait::thread_end && !can_time_out(record.pending) && record.object != record.self &&
                           machine.object(record.object).kind == Kind::thread &&
                           machine.object(record.object).count == joinable;
    intent.lock = waits == Wait::owner ? record.object : no_slot;
    const bool leaves = can_time_out(record.pending) || record.pending.operation == Operation::thread_cancel;
    met_long_wait_ = met_long_wait_ || machine.is_long_wait(thread);
    const bool goes_by_time = can_time_out(record.pending) || record.pending.operation == Operation::clock_read;
    if (leaves && !waits_can_be_left_) {
        // The short cuts for waits are invalid from now on.
        waits_can_be_left_ = true;
        start_over();
    }
    if (goes_by_time && !walk_.track().time_matters()) {
        walk_.track().let_time_matter();
        if (walk_.track().goes_by_value()) start_over();
    }
    return intents_.keep(intent);
}

// The pass has to be repeated, and no node counts as finished.
void BoundedSearch::start_over() {
    must_repeat_ = true;
    for (std::size_t i = 0; i < depth_; ++i) path_[i].unfinished = true;
    forget();
}

bool BoundedSearch::Intent::operator==(const Intent& other) const {
    if (thread != other.thread || count != other.count || waits_for_end != other.waits_for_end || lock != other.lock)
        return false;
    for (std::uint8_t i = 0; i < count; ++i)
        if (uses[i].object != other.uses[i].object || uses[i].mode != other.uses[i].mode) return false;
    return true;
}

std::uint64_t BoundedSearch::HashOfIntent::operator()(const Intent& intent) const {
    std::uint64_t hash = (std::uint64_t{intent.thread} << 1 | (intent.waits_for_end ? 1 : 0)) * 0x9fb21c651e98df25ULL +
                         intent.lock * 0xd6e8feb86659fd93ULL;
    for (std::uint8_t a = 0; a < intent.count; ++a)
        hash = hash * 0x9e3779b97f4a7c15ULL +
               (std::uint64_t{intent.uses[a].object} << 8 | static_cast<std::uint64_t>(intent.uses[a].mode));
    return mix64(hash);
}

// The thread, or its nearest ancestor by creation that exists at this point.
ThreadSlot BoundedSearch::earliest_alive(ThreadSlot thread, Position at) const {
    const Track& track = walk_.track();
    for (;;) {
        const bool ran = track.last_of(thread) != nowhere;
        const EventName made =
            ran ? track[track.position_of(thread, 1)].outcome.enabler : walk_.machine().thread(thread).enabler;
        if (made.number == 0 || track.position_of(made.thread, made.number) < at) return thread;
        thread = made.thread;
    }
}

void BoundedSearch::branch(Position at, ThreadSlot thread) {
    // If the thread is not ready, other threads may enable it, or make its step cheaper.
    PathNode& node = path_[at];
    if (node.ready.has(thread)) return node.branches.add(thread);
    const ThreadSlot first = waits_can_be_left_ ? thread : earliest_alive(thread, at);
    if (node.ready.has(first))
        node.branches.add(first);
    else
        node.branches.add(node.enabled);
}

void BoundedSearch::branch_at_block(Position at, ThreadSlot thread) {
    const Track& track = walk_.track();
    const Position start = track[at].block;
    branch(start, thread);
    if (at > start) path_[at].lead.add(thread);
    if (waits_can_be_left_) return;
    // If the block's thread had waited at a join inside the block, leaving it there would have been free.
    for (Position i = track[at].join; i != nowhere && i > start; i = track[i - 1].join) {
        const TrackEvent& event = track[i];
        const ThreadSlot joined = track.machine().find_thread(thread_of(event.action.object));
        const Position end = joined == no_slot ? nowhere : track.last_of(joined);
        if (end == nowhere || end > i) continue;
        branch(end, event.thread);
        branch_at_block(end, event.thread);
    }
}

void BoundedSearch::add_races_of(const Intent& intent) {
    if (intent.count == 0) return;
    const Track& track = walk_.track();
    const Position own = track.last_of(intent.thread);
    std::span<const Track::LastUse> last[std::size(Intent{}.uses)];
    std::size_t threads = 0;
    for (std::uint8_t a = 0; a < intent.count; ++a) {
        last[a] = track.last_uses(intent.uses[a].object);
        threads = std::max(threads, last[a].size());
    }
    for (ThreadSlot other = 0; other < threads; ++other) {
        if (other == intent.thread) continue;
        Position latest = nowhere;
        for (std::uint8_t a = 0; a < intent.count; ++a) {
            const Position at = other < last[a].size() ? last[a][other].dependent(intent.uses[a].mode) : nowhere;
            if (at != nowhere && (latest == nowhere || at > latest)) latest = at;
        }
        if (latest != nowhere) add_race(intent, own, latest);
    }
}

void BoundedSearch::add_race_with_last_event(const Intent& intent) {
    const Track& track = walk_.track();
    const Position at = track.size() - 1;
    const ActionOutcome& outcome = track[at].outcome;
    for (std::uint8_t a = 0; a < intent.count; ++a)
        for (std::uint8_t b = 0; b < outcome.use_count; ++b)
            if (depend(intent.uses[a], outcome.uses[b])) return add_race(intent, track.last_of(intent.thread), at);
}

// Adds the branches for the race of the intent with the event at `at`, the last dependent event of its thread.
void BoundedSearch::add_race(const Intent& intent, Position own, Position at) {
    const Track& track = walk_.track();
    const ThreadSlot other = track[at].thread;
    if (own != nowhere && track.before(at, own)) return;
    if (intent.waits_for_end && !waits_can_be_left_ && traits(track[at].action.operation).ends == Wait::thread_end)
        return;
    if (waits_for_release(intent, own, at)) {
        // While the other thread held the lock, this one could not run: the race is with the lock operation.
        for (Position taken = at; taken != nowhere && (own == nowhere || own < taken);
             taken = dependent_before(intent, other, taken)) {
            if (!path_[taken].enabled.has(intent.thread)) continue;
            branch(taken, intent.thread);
            branch_at_block(taken, intent.thread);
            return;
        }
    }
    if (track[at].block != at) branch(at, intent.thread);
    branch_at_block(at, intent.thread);
}

bool BoundedSearch::waits_for_release(const Intent& intent, Position own, Position at) const {
    const TrackEvent& event = walk_.track()[at];
    const bool releases = traits(event.action.operation).ends == Wait::owner;
    return releases && !waits_can_be_left_ && intent.lock != no_slot && event.outcome.use_count > 0 &&
           event.outcome.uses[0].object == intent.lock && event.outcome.effect == Effect::done &&
           event.outcome.misuse == Misuse::none && (own == nowhere || own < at) &&
           !path_[at].enabled.has(intent.thread);
}

// The last event of the thread before `before` that depends on the intent.
Position BoundedSearch::dependent_before(const Intent& intent, ThreadSlot other, Position before) const {
    const Track& track = walk_.track();
    Position latest = nowhere;
    for (std::uint8_t a = 0; a < intent.count; ++a) {
        const std::vector<Track::UsedAt>& log = track.uses_of(intent.uses[a].object);
        auto from =
            std::partition_point(log.begin(), log.end(), [&](const Track::UsedAt& one) { return one.at < before; });
        while (from != log.begin()) {
            --from;
            const bool depends = !commute(intent.uses[a].mode, from->mode);
            if (track[from->at].thread != other || !depends) continue;
            if (latest == nowhere || from->at > latest) latest = from->at;
            break;
        }
    }
    return latest;
}

// ---- finished nodes

const BoundedSearch::Entry* BoundedSearch::finished_before(const Hash128& node, ThreadSlot last,
                                                           std::uint32_t left) const {
    const bool has_focus = walk_.machine().options().has_focus;
    for (std::uint32_t at = done_.find(node); at != HashIndex::none; at = entries_[at].next) {
        const Entry& entry = entries_[at];
        // The focus lets the last thread decide what is allowed, so no preemption makes up for another one.
        if (has_focus && entry.last != last) continue;
        const bool same_start = entry.last == last || entry.last_stuck;
        if (entry.left == without_end || entry.left >= left + (same_start ? 0u : 1u)) return &entry;
    }
    return nullptr;
}

void BoundedSearch::remember(const PathNode& finished, const Hash128& node) {
    if (bytes() > memory_limit_) forget();
    NumberSet lead;
    finished.lead.each([&](ThreadSlot thread) { lead.add(thread); });
    const std::uint32_t left = finished.cut ? bound_ - finished.spent : without_end;
    add_entry(node, {finished.last, left, pool_.keep(finished.summary), pool_.keep(lead), HashIndex::none,
                     finished.last_stuck});
}

void BoundedSearch::add_entry(const Hash128& node, const Entry& fresh) {
    std::uint32_t& first = done_.find_or_add(node, HashIndex::none);
    for (std::uint32_t at = first; at != HashIndex::none; at = entries_[at].next) {
        Entry& entry = entries_[at];
        if (entry.last != fresh.last) continue;
        if (entry.left == without_end || entry.left > fresh.left) return;
        const std::uint32_t next = entry.next;
        entry = fresh;
        entry.next = next;
        return;
    }
    entries_.push_back(fresh);
    entries_.back().next = first;
    first = static_cast<std::uint32_t>(entries_.size() - 1);
}

void BoundedSearch::forget() {
    done_.clear();
    entries_.clear();
    pool_.clear();
}

}  // namespace raddle
