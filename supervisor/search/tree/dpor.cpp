// The strategy dpor: dynamic partial-order reduction.
//
// Idea: Flanagan and Godefroid, POPL 2005, Figure 4, with sleep sets (Godefroid, 1996).
// Rules:
//   * For each thread's next action at each state: find the last event that depends on it and does not happen before
//   it.
//     The thread becomes a branch at the state before that event. If it is not enabled there, all enabled threads do.
//   * If the thread sleeps there, all enabled threads become branches, too. Its own continuations are explored
//   elsewhere,
//     but races with them would be missed. Example: one write and two readers that first read something of their own.
//     One reader has to come before the write, and so before the other reader. This is found only below the write,
//     which sleeps. Once every enabled thread is a branch or asleep, nothing is left to find.
//   * An unlock does not race with an action that waits for the lock: the two are never enabled together. The race is
//   with
//     the lock operation (Figure 5, "not a release").
// Invariant: an action is compared with all earlier events when its thread announces it, and with each later event as
// it comes. So each state costs one check of each thread. Risk: executions may still be redundant; sleep sets cut them
// late, and they count as abandoned.
#include <unordered_map>

#include "supervisor/search/search_totals.h"
#include "supervisor/search/tree/backtrack_tree.h"

namespace raddle {

namespace {

// The event unlocks the lock that the action of another thread can only wait for.
bool is_released_for(const Action& event, const ActionOutcome& outcome, const Action& waiting, const ObjectId& lock) {
    if (outcome.effect != Effect::done || outcome.misuse != Misuse::none) return false;
    const OperationTraits& what = traits(event.operation);
    const bool releases = (what.ends == Wait::owner && event.object == lock) ||
                          (what.second_lock == LockChange::gives_back && event.second == lock);
    if (!releases || can_be_left(waiting)) return false;
    if (traits(waiting.operation).waits == Wait::owner) return waiting.object == lock;
    return traits(waiting.operation).second_lock == LockChange::takes && waiting.second == lock;
}

class Dpor final : public Strategy {
public:
    explicit Dpor(const StrategyOptions& options) : options_(options), totals_(options_), replay_(options.machine) {}

    std::optional<Plan> next() override;
    void learn(const Plan& plan, const Execution& execution) override;
    void give_back(const Plan& plan) override;
    bool finished() const override { return !first_wanted_ && tree_.wanted() == 0 && out_.empty(); }
    Coverage coverage() const override;
    std::vector<Finding> take_findings() override { return totals_.take_findings(); }
    void save(Writer& out) const override;
    void load(Reader& in) override;

private:
    using Branch = BacktrackTree::Branch;
    struct Waiting {
        ObjectUse uses[most_uses];
        std::uint8_t count = 0;
        bool could_run = false;
    };

    const Machine& machine() const { return replay_.machine(); }
    Branch take_out(const Plan& plan);
    void explore(const Plan& plan, const Branch& branch);
    void fall_asleep(const Plan& plan);
    void note_pending_actions();
    void race_with_waiting(Position at);
    void race_of_next(ThreadSlot thread);
    Position last_race(ThreadSlot thread, const ObjectUse& use, ThreadSlot other) const;
    void wake_up(const TrackEvent& event);

    const StrategyOptions options_;
    SearchTotals totals_;
    ReplayMachine replay_;
    BacktrackTree tree_;
    std::unordered_map<std::uint64_t, Branch> out_;  // by plan; the first has no branch
    std::uint64_t plans_ = 0;
    bool first_wanted_ = true;

    // While one execution is explored:
    std::vector<BacktrackTree::Node> states_;  // before each event
    std::vector<bool> sleeping_;               // by slot
    std::vector<Waiting> waiting_;             // by slot: the action announced before the current event
};

std::optional<Plan> Dpor::next() {
    Plan plan;
    Branch branch;
    if (first_wanted_) {
        first_wanted_ = false;
    } else {
        branch = tree_.take_wanted();
        if (branch.node == BacktrackTree::none) return std::nullopt;
        plan.prefix = tree_.prefix(branch);
        for (const ThreadId thread : tree_.sleeping(branch)) plan.sleeping.emplace_back(thread);
    }
    plan.id = ++plans_;
    plan.max_steps = options_.max_steps;
    out_.emplace(plan.id, branch);
    return plan;
}

BacktrackTree::Branch Dpor::take_out(const Plan& plan) {
    const auto found = out_.find(plan.id);
    CHECK(found != out_.end());
    const Branch branch = found->second;
    out_.erase(found);
    return branch;
}

void Dpor::give_back(const Plan& plan) {
    const Branch branch = take_out(plan);
    if (branch.node == BacktrackTree::none)
        first_wanted_ = true;
    else
        tree_.want_again(branch);
}

void Dpor::learn(const Plan& plan, const Execution& execution) {
    const Branch branch = take_out(plan);
    replay_.begin(execution);
    states_ = tree_.path(branch);
    if (follows(plan, execution)) explore(plan, branch);
    replay_.feed_all();
    totals_.record(plan, execution, replay_);
    if (branch.node != BacktrackTree::none) tree_.explored(branch);
    if (!states_.empty()) tree_.drop_finished(states_.back());
}

void Dpor::explore(const Plan& plan, const Branch& branch) {
    const std::size_t known = plan.prefix.size();
    Branch above = branch;
    sleeping_.clear();
    while (replay_.more()) {
        const std::size_t at = replay_.position();
        if (at == known) fall_asleep(plan);
        if (at >= known) {
            states_.push_back(tree_.add(above, machine(), sleeping_));
            above = tree_.take_first(states_.back(), replay_.event().thread, replay_.event().value);
        }
        const bool fresh = at + 1 >= known;
        if (fresh) note_pending_actions();
        const TrackEvent& event = replay_.feed();
        if (!fresh) continue;
        race_with_waiting(static_cast<Position>(at));
        race_of_next(event.thread);
        if (at >= known) wake_up(event);
    }
}

void Dpor::fall_asleep(const Plan& plan) {
    sleeping_.assign(machine().thread_count(), false);
    for (const Sleeper& sleeper : plan.sleeping)
        if (const ThreadSlot slot = machine().find_thread(sleeper.thread); slot != no_slot) sleeping_[slot] = true;
}

void Dpor::note_pending_actions() {
    waiting_.assign(machine().thread_count(), {});
    for (ThreadSlot slot = 0; slot < waiting_.size(); ++slot) {
        waiting_[slot].count = machine().pending_uses(slot, waiting_[slot].uses);
        waiting_[slot].could_run = machine().can_run(slot);
    }
}

// Compares the current event with the pending actions of the other threads.
void Dpor::race_with_waiting(Position at) {
    const TrackEvent& event = replay_.track()[at];
    for (ThreadSlot other = 0; other < waiting_.size(); ++other) {
        if (other == event.thread) continue;
        const ThreadRecord& thread = machine().thread(other);
        const Waiting& waiting = waiting_[other];
        const bool enabled_by_it = enabler_of(thread) == EventName{event.thread, event.number};
        // The event enabled the action: it could not have come first, unless it can be cancelled.
        const bool could_leave = (thread.pending.flags & flag::cancellable) != 0;
        if (enabled_by_it && !waiting.could_run && !could_leave) continue;
        bool races = false;
        for (std::uint8_t i = 0; i < waiting.count; ++i)
            for (std::uint8_t j = 0; j < event.outcome.use_count; ++j)
                races = races || (depend(waiting.uses[i], event.outcome.uses[j]) &&
                                  !is_released_for(event.action, event.outcome, thread.pending,
                                                   machine().object(waiting.uses[i].object).id));
        if (races) tree_.backtrack(states_[at], thread.id);
    }
}

// Compares the action that the thread has just announced with all earlier events.
void Dpor::race_of_next(ThreadSlot thread) {
    ObjectUse uses[most_uses];
    const std::uint8_t count = machine().pending_uses(thread, uses);
    Position last = nowhere;
    for (std::uint8_t i = 0; i < count; ++i)
        for (ThreadSlot other = 0; other < machine().thread_count(); ++other) {
            if (other == thread) continue;
            const Position at = last_race(thread, uses[i], other);
            if (at != nowhere && (last == nowhere || at > last)) last = at;
        }
    if (last != nowhere) tree_.backtrack(states_[last], machine().thread(thread).id);
}

// The last event of `other` that races with this use by the pending action of `thread`.
Position Dpor::last_race(ThreadSlot thread, const ObjectUse& use, ThreadSlot other) const {
    const Track& track = replay_.track();
    const Action& next = machine().thread(thread).pending;
    const ObjectId& object = machine().object(use.object).id;
    for (Position at = track.last_dependent(use.object, use.mode, other); at != nowhere; at = track[at].previous) {
        if (track.before_thread(at, thread)) return nowhere;
        const TrackEvent& event = track[at];
        for (std::uint8_t i = 0; i < event.outcome.use_count; ++i)
            if (depend(use, event.outcome.uses[i]) && !is_released_for(event.action, event.outcome, next, object))
                return at;
    }
    return nowhere;
}

// The same rule as in the target's Chooser (model/tail.h).
void Dpor::wake_up(const TrackEvent& event) {
    for (ThreadSlot slot = 0; slot < sleeping_.size(); ++slot) {
        if (!sleeping_[slot]) continue;
        ObjectUse uses[most_uses];
        const std::uint8_t count = machine().pending_uses(slot, uses);
        bool wakes = slot == event.thread;
        for (std::uint8_t i = 0; i < count; ++i)
            for (std::uint8_t j = 0; j < event.outcome.use_count; ++j)
                wakes = wakes || depend(uses[i], event.outcome.uses[j]);
        if (wakes) sleeping_[slot] = false;
    }
}

Coverage Dpor::coverage() const {
    Coverage coverage;
    totals_.report(coverage);
    coverage.in_flight = out_.size();
    coverage.frontier = tree_.wanted() + (first_wanted_ ? 1 : 0);
    coverage.exhausted = finished() && !totals_.incomplete();
    return coverage;
}

void Dpor::save(Writer& out) const {
    bool first_wanted = first_wanted_;
    for (const auto& [plan, branch] : out_) first_wanted = first_wanted || branch.node == BacktrackTree::none;
    totals_.save(out);
    out.number(plans_);
    out.number(first_wanted ? 1 : 0);
    tree_.save(out);
}

void Dpor::load(Reader& in) {
    totals_.load(in);
    plans_ = in.number();
    first_wanted_ = in.number_below(2, "whether anything was run") != 0;
    out_.clear();
    tree_.load(in);
}

}  // namespace

std::unique_ptr<Strategy> make_dpor(const StrategyOptions& options) { return std::make_unique<Dpor>(options); }

}  // namespace raddle
