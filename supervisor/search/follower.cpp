#include "supervisor/search/follower.h"

#include <algorithm>

namespace raddle {

// Walks backwards and remembers for each thread its earliest event (or pending action) so far. Returns how many first
// events of the track are known to be those of the execution: both were those of the execution before. Only the last
// one of each thread may have another successor.
Position Follower::find_successors(const Execution& execution) {
    const auto known = static_cast<Position>(
        std::min<std::size_t>(execution.events.shared_with(before_), left_open_ ? 0 : track_.kept(this)));
    track_.keep(known, this);
    before_ = execution.events;
    seen_.clear();
    const auto count = static_cast<std::uint32_t>(execution.events.size());
    for (std::uint32_t i = 0; i < execution.pending.size(); ++i)
        seen_.emplace_back(execution.pending[i].thread, count + i);
    const auto entry = [&](ThreadId thread) -> std::uint32_t& {
        for (auto& [id, index] : seen_)
            if (id == thread) return index;
        return seen_.emplace_back(thread, no_index).second;
    };
    successor_.resize(count);
    for (std::uint32_t i = count; i-- > known;) {
        std::uint32_t& next = entry(execution.events[i].thread);
        successor_[i] = next;
        next = i;
    }
    for (ThreadSlot thread = 0; known > 0 && thread < track_.machine().thread_count(); ++thread)
        if (const Position last = track_.last_before(thread, known); last != nowhere) {
            std::uint32_t& next = entry(track_.machine().thread(thread).id);
            successor_[last] = next;
            next = track_.position_of(thread, 1);
        }
    first_of_main_ = entry(main_thread);
    return known;
}

// The event or, beyond the events, the pending action.
Follower::Announced Follower::announced_at(const Execution& execution, std::uint32_t index) {
    if (index == no_index) return {};
    const auto count = static_cast<std::uint32_t>(execution.events.size());
    if (index < count) return {&execution.events[index].action, execution.events[index].code};
    return {&execution.pending[index - count].action, execution.pending[index - count].code};
}

const Action* Follower::next_of(const Execution& execution, Position i) const {
    return announced_after(execution, i).action;
}

bool Follower::same_so_far(const Execution& execution, Position i) const {
    const Event& event = execution.events[i];
    const TrackEvent& known = track_[i];
    return track_.machine().thread(known.thread).id == event.thread && known.value == event.value &&
           known.action == event.action && known.outcome.effect == event.effect && known.outcome.result == event.result;
}

void Follower::begin(const Execution& execution) {
    Position shared = find_successors(execution);
    execution_ = &execution;
    followed_ = {};
    const Announced first = first_of_main(execution);
    if (first.action == nullptr) {
        followed_.agrees = execution.events.empty();
        followed_.disagreement = "main did nothing";
        return;
    }
    if (!track_.started())
        track_.start(*first.action,
                     knowledge_ == nullptr ? 0 : knowledge_->epoch_of(Knowledge::beginning, 0, *first.action));
    if (knowledge_ != nullptr && !knowledge_->learn(Knowledge::beginning, 0, *first.action, first.code))
        followed_.contradiction = "main begins otherwise than before";
    if (left_open_) track_.pop_to(0);
    left_open_ = false;
    const auto count = static_cast<Position>(execution.events.size());
    while (shared < count && shared < track_.size() && same_so_far(execution, shared)) ++shared;
    // The last common event is followed again: its thread may announce something else now, because it was cut before or
    // the program differs.
    if (shared > 0) --shared;
    track_.pop_to(shared);
    track_.keep(shared, this);
    followed_.from = shared;
}

bool Follower::begin_here(const Execution& execution) {
    const Position size = track_.size();
    if (size == 0 || execution.events.size() < size) return false;
    for (Position i = find_successors(execution); i < size; ++i)
        if (!same_so_far(execution, i)) return false;
    const Machine& machine = track_.machine();
    for (ThreadSlot thread = 0; thread < machine.thread_count(); ++thread) {
        if (machine.thread(thread).life != Life::announced || track_.last_of(thread) == nowhere) continue;
        const Action* told = next_of(execution, track_.last_of(thread));
        if (told != nullptr && *told != machine.thread(thread).pending) return false;
    }
    const Announced next = announced_after(execution, size - 1);
    if (next.action == nullptr) return false;
    execution_ = &execution;
    followed_ = {};
    followed_.from = size;
    track_.keep(size, this);
    learn(size - 1, next);
    learn_all();
    return true;
}

const Followed& Follower::follow(const Execution& execution) {
    begin(execution);
    while (more() && feed()) continue;
    learn_all();
    return followed_;
}

bool Follower::feed() {
    const Event& event = execution_->events[track_.size()];
    const Machine& machine = track_.machine();
    const ThreadSlot thread = machine.find_thread(event.thread);
    if (thread == no_slot) return disagree("thread " + name_of(event.thread) + " does not exist yet");
    if (event.value >= machine.alternatives(thread).count)
        return disagree(name_of(event.thread) + " cannot do " + text_of(event));
    return feed_allowed(thread);
}

bool Follower::feed_allowed(ThreadSlot thread) {
    const Position i = track_.size();
    const Event& event = execution_->events[i];
    if (track_.machine().thread(thread).pending != event.action)
        return disagree(name_of(event.thread) + " was about to do something else than " + text_of(event));
    const TrackEvent& pushed = track_.push(thread, event.value);
    const ActionOutcome& outcome = pushed.outcome;
    const bool external = (event.action.flags & flag::contents_unknown) != 0;
    if (outcome.effect != event.effect || (!external && outcome.result != event.result))
        return disagree("another outcome: " + text_of(event));
    if (track_.kept(this) == i) track_.keep(i + 1, this);
    if (outcome.continues || outcome.ends_thread) return true;
    if (const Announced next = announced_after(*execution_, i); next.action != nullptr) {
        track_.announce(thread, *next.action, epoch_of(i, *next.action));
        if (knowledge_ != nullptr) learn(i, next);
    } else {
        left_open_ = true;
    }
    return true;
}

bool Follower::disagree(std::string what) {
    followed_.agrees = false;
    followed_.disagreement = std::move(what);
    return false;
}

// The epoch since which this action has been known to follow. Facts that are not learned yet are of this epoch.
Knowledge::Epoch Follower::epoch_of(Position at, const Action& next) const {
    return knowledge_ == nullptr ? 0 : knowledge_->epoch_of(track_[at].past, track_[at].since, next);
}

void Follower::learn(Position at, const Announced& next) {
    if (new_facts_.size() == max_new_facts) learn_all();
    const TrackEvent& event = track_[at];
    new_facts_.push_back({event.past, event.since, event.thread, at, next});
    knowledge_->expect(event.past);
}

namespace {

std::string as_text(ThreadId thread, const Action& action) {
    Event event;
    event.thread = thread;
    event.action = action;
    return text_of(event).substr(name_of(thread).size() + 1);
}

}  // namespace

void Follower::learn_all() {
    for (const NewFact& fact : new_facts_) {
        const Action& next = *fact.next.action;
        if (knowledge_->learn(fact.past, fact.since, next, fact.next.code) || followed_.contradiction) continue;
        const ThreadId thread = track_.machine().thread(fact.thread).id;
        std::size_t step = fact.at + std::size_t{1};
        while (step < execution_->events.size() && execution_->events[step].thread != thread) ++step;
        const std::string now = as_text(thread, next);
        followed_.contradiction = "after the same past as before, " + name_of(thread) + " did something else at step " +
                                  std::to_string(step + 1) + ": " + now;
        const Action* const before = knowledge_->after(fact.past, fact.since).action;
        if (before == nullptr) continue;
        const std::string known = as_text(thread, *before);
        *followed_.contradiction += known != now ? ", not " + known : " (in another state)";
    }
    new_facts_.clear();
}

std::uint32_t Follower::preemptions(const Execution& execution) {
    begin(execution);
    track_.pop_to(0);
    std::uint32_t preemptions = 0;
    Machine& machine = track_.machine();
    for (Position i = 0; i < execution.events.size(); ++i) {
        const Event& event = execution.events[i];
        const ThreadSlot thread = machine.find_thread(event.thread);
        if (thread == no_slot || event.value >= machine.alternatives(thread).count) break;
        preemptions += machine.cost(track_.last_thread(), thread, event.value);
        const ActionOutcome outcome = track_.push(thread, event.value).outcome;
        if (outcome.continues || outcome.ends_thread) continue;
        if (const Action* next = next_of(execution, i)) track_.announce(thread, *next);
    }
    return preemptions;
}

}  // namespace raddle
