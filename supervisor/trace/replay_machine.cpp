#include "supervisor/trace/replay_machine.h"

#include <algorithm>

#include "supervisor/trace/graph_hash.h"

namespace raddle {

void ReplayMachine::begin(const Execution& execution) {
    execution_ = &execution;
    at_ = 0;
    spent_.clear();
    mismatch_.reset();
    track_.reset();
    find_next_actions(0);
    if (const auto main = upcoming_.find(main_thread.code); main != upcoming_.end() && main->second != nullptr)
        track_.start(*main->second);
    check_next_event();
}

void ReplayMachine::begin_after_common_prefix(const Execution& execution) {
    execution_ = &execution;
    // These are the same events, and were fed. Others may be equal: they are compared unless there is enough without.
    const std::size_t fed = mismatch_ ? mismatch_->event : track_.size();
    const std::size_t known = std::min({execution.events.shared_with(before_), fed, std::size_t{track_.size()}});
    for (at_ = known; known == 0 && at_ < track_.size() && at_ < execution.events.size() && is_next_event_known();
         ++at_) {}
    if (at_ == 0) return begin(execution);
    mismatch_.reset();
    find_next_actions(known);
    auto common = static_cast<Position>(at_);
    do {  // going back restores earlier announcements, which may differ, too
        track_.pop_to(common);
        common = std::min(common, first_announced_otherwise());
    } while (track_.size() > common);
    at_ = common;
    if (at_ == 0) return begin(execution);
    spent_.resize(at_);
    check_next_event();
}

bool ReplayMachine::is_next_event_known() const {
    const Event& event = execution_->events[at_];
    const TrackEvent& known = track_[static_cast<Position>(at_)];
    return machine().thread(known.thread).id == event.thread && known.value == event.value &&
           known.action == event.action && known.outcome.effect == event.effect &&
           known.outcome.result == event.result && known.outcome.misuse == event.misuse;
}

// The first event of the track after which its thread announced something else than in this execution.
Position ReplayMachine::first_announced_otherwise() const {
    Position first = track_.size();
    for (ThreadSlot thread = 0; thread < machine().thread_count(); ++thread) {
        const Position last = track_.last_of(thread);
        if (last == nowhere || track_[last].outcome.continues || track_[last].outcome.ends_thread) continue;
        const bool announced = machine().thread(thread).life == Life::announced;
        const Action* next = following_[last];
        const bool same = next != nullptr ? announced && machine().thread(thread).pending == *next : !announced;
        if (!same) first = std::min(first, last);
    }
    return first;
}

Hash128 ReplayMachine::graph() const {
    GraphHash graph;
    for (Position i = 0; i < track_.size(); ++i) graph.add(machine(), track_[i]);
    return graph.value();
}

// A thread announces its next action right after its last one, long before the action's own event. The first `known`
// events are those of the execution before, so only the last one of each thread may lead to another action.
void ReplayMachine::find_next_actions(std::size_t known) {
    upcoming_.clear();
    for (const Pending& pending : execution_->pending) upcoming_[pending.thread.code] = &pending.action;
    const Events& events = execution_->events;
    following_.resize(events.size());
    for (std::size_t i = events.size(); i-- > known;) {
        const Action*& next = upcoming_[events[i].thread.code];
        following_[i] = next;
        next = &events[i].action;
    }
    for (ThreadSlot thread = 0; known > 0 && thread < machine().thread_count(); ++thread)
        if (const Position last = track_.last_before(thread, static_cast<Position>(known)); last != nowhere)
            following_[last] = upcoming_[machine().thread(thread).id.code];
    before_ = events;
}

const TrackEvent& ReplayMachine::feed() {
    const Event& recorded = event();
    spent_.push_back(preemptions() + cost(thread_, recorded.value));
    const TrackEvent& happened = track_.push(thread_, recorded.value);
    compare(recorded, happened);
    if (!happened.outcome.continues && !happened.outcome.ends_thread && following_[at_] != nullptr)
        track_.announce(thread_, *following_[at_]);
    ++at_;
    if (!mismatch_) check_next_event();
    return happened;
}

// Checks that the machine allows the next event.
void ReplayMachine::check_next_event() {
    if (at_ == execution_->events.size()) return;
    const Event& next = event();
    thread_ = machine().find_thread(next.thread);
    if (thread_ == no_slot) return differs(name_of(next.thread) + " does not exist here");
    const ThreadRecord& thread = machine().thread(thread_);
    if (thread.life == Life::ended) return differs(name_of(next.thread) + " has ended");
    if (thread.life != Life::announced) return differs(name_of(next.thread) + " has nothing to do here");
    if (!(thread.pending == next.action)) {
        Event expected = next;
        expected.action = thread.pending;
        return differs("recorded is '" + text_of(next) + "' where '" + text_of(expected) + "' comes next");
    }
    set_descriptor_amount(next);
    const Alternatives ways = machine().alternatives(thread_);
    if (ways.readiness == Readiness::blocked) return differs("'" + text_of(next) + "' is blocked here");
    if (next.value >= ways.count)
        differs("'" + text_of(next) + "' has only " + std::to_string(ways.count) + " alternatives here");
}

// The result tells how much there was to read or write: the machine cannot know it before.
void ReplayMachine::set_descriptor_amount(const Event& event) {
    if ((event.action.flags & flag::contents_unknown) == 0 || traits(event.action.operation).kind != Kind::descriptor)
        return;
    // A wait for one of many has the descriptor table as its first object, and its own object as the second.
    const bool one_of_many = event.action.operation == Operation::descriptor_wait;
    const ObjectSlot slot = one_of_many ? machine().thread(thread_).second : machine().find_object(event.action.object);
    if (slot == no_slot || event.action.operation == Operation::descriptor_open) return;
    const std::uint32_t amount = event.effect != Effect::done ? 0
                                 : event.result > 0           ? static_cast<std::uint32_t>(event.result)
                                                              : 1;
    track_.machine().set_descriptor(slot, amount, amount);
}

void ReplayMachine::compare(const Event& recorded, const TrackEvent& happened) {
    const ActionOutcome& outcome = happened.outcome;
    // Only the process knows of freed memory and of the values there: the machine accepts its word.
    const bool same_misuse = recorded.misuse == outcome.misuse || recorded.misuse == Misuse::freed_memory;
    const bool same_result = recorded.result == outcome.result || (recorded.action.flags & flag::contents_unknown) != 0;
    if (recorded.effect == outcome.effect && same_result && same_misuse) return;
    Event expected = recorded;
    expected.effect = outcome.effect;
    expected.result = outcome.result;
    expected.misuse = outcome.misuse;
    differs("recorded is '" + text_of(recorded) + "' where '" + text_of(expected) + "' comes out");
}

void ReplayMachine::differs(std::string text) { mismatch_ = Mismatch{at_, std::move(text)}; }

}  // namespace raddle
