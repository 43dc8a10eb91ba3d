#include "supervisor/search/follower.h"

namespace raddle {

// Walks backwards, remembering for each thread the event (or pending action) met last.
void Follower::find_successors(const Execution& execution) {
    seen_.clear();
    const auto count = static_cast<std::uint32_t>(execution.events.size());
    for (std::uint32_t i = 0; i < execution.pending.size(); ++i) seen_.emplace_back(execution.pending[i].thread, count + i);
    const auto entry = [&](ThreadId thread) -> std::uint32_t& {
        for (auto& [id, index] : seen_)
            if (id == thread) return index;
        return seen_.emplace_back(thread, no_index).second;
    };
    successor_.resize(count);
    for (std::uint32_t i = count; i-- > 0;) {
        std::uint32_t& next = entry(execution.events[i].thread);
        successor_[i] = next;
        next = i;
    }
    first_of_main_ = entry(main_thread);
}

const Action* Follower::next_of(const Execution& execution, Position i) const {
    const std::uint32_t next = successor_[i];
    if (next == no_index) return nullptr;
    const auto count = static_cast<std::uint32_t>(execution.events.size());
    return next < count ? &execution.events[next].action : &execution.pending[next - count].action;
}

const Action* Follower::first_of_main(const Execution& execution) const {
    if (first_of_main_ == no_index) return nullptr;
    const auto count = static_cast<std::uint32_t>(execution.events.size());
    return first_of_main_ < count ? &execution.events[first_of_main_].action
                                  : &execution.pending[first_of_main_ - count].action;
}

bool Follower::same_so_far(const Execution& execution, Position i) const {
    const Event& event = execution.events[i];
    const TrackEvent& known = track_[i];
    return track_.machine().thread(known.thread).id == event.thread && known.value == event.value &&
           known.action == event.action && known.outcome.effect == event.effect && known.outcome.result == event.result;
}

Followed Follower::follow(const Execution& execution) {
    find_successors(execution);
    Followed followed;
    const Action* first = first_of_main(execution);
    if (first == nullptr) return {0, execution.events.empty(), "main did nothing"};
    if (!track_.started()) track_.start(*first);

    const auto disagree = [&](std::string what) {
        followed.agrees = false;
        followed.disagreement = std::move(what);
        return followed;
    };
    const auto count = static_cast<Position>(execution.events.size());
    Position shared = 0;
    if (left_open_) track_.pop_to(0);
    left_open_ = false;
    while (shared < count && shared < track_.size() && same_so_far(execution, shared)) ++shared;
    // The last shared event's thread may announce something else now (it was cut before, or the program differs):
    // taking it back and following it anew says so.
    if (shared > 0) --shared;
    track_.pop_to(shared);
    followed.from = shared;
    Machine& machine = track_.machine();
    for (Position i = shared; i < count; ++i) {
        const Event& event = execution.events[i];
        const ThreadSlot thread = machine.find_thread(event.thread);
        if (thread == no_slot) return disagree("thread " + name_of(event.thread) + " does not exist yet");
        if (event.value >= machine.alternatives(thread).count)
            return disagree(name_of(event.thread) + " cannot do " + text_of(event));
        if (machine.thread(thread).pending != event.action)
            return disagree(name_of(event.thread) + " was about to do something else than " + text_of(event));
        const Outcome outcome = track_.push(thread, event.value).outcome;
        const bool external = (event.action.flags & flag::external) != 0;
        if (outcome.effect != event.effect || (!external && outcome.result != event.result))
            return disagree("another outcome: " + text_of(event));
        if (outcome.continues || outcome.ends_thread) continue;
        if (const Action* next = next_of(execution, i))
            track_.announce(thread, *next);
        else
            left_open_ = true;
    }
    return followed;
}

std::optional<std::string> Follower::teach(const Execution& execution, Position from, Knowledge& knowledge) const {
    std::optional<std::string> contradiction;
    if (const Action* first = first_of_main(execution))
        if (!knowledge.learn(Knowledge::beginning, *first)) contradiction = "main begins otherwise than before";
    for (Position i = from; i < track_.size() && i < execution.events.size(); ++i) {
        const TrackEvent& event = track_[i];
        if (event.outcome.continues || event.outcome.ends_thread) continue;
        const Action* next = next_of(execution, i);
        if (next == nullptr || knowledge.learn(event.past, *next) || contradiction) continue;
        contradiction = "after the same past as before, " + name_of(track_.machine().thread(event.thread).id) +
                        " did something else: " + name_of(next->operation);
    }
    return contradiction;
}

std::uint32_t Follower::preemptions(const Execution& execution) {
    track_.pop_to(0);
    std::uint32_t preemptions = 0;
    Machine& machine = track_.machine();
    for (Position i = 0; i < execution.events.size(); ++i) {
        const Event& event = execution.events[i];
        const ThreadSlot thread = machine.find_thread(event.thread);
        if (thread == no_slot || event.value >= machine.alternatives(thread).count) break;
        preemptions += machine.cost(track_.last_thread(), thread, event.value);
        const Outcome outcome = track_.push(thread, event.value).outcome;
        if (outcome.continues || outcome.ends_thread) continue;
        if (const Action* next = next_of(execution, i)) track_.announce(thread, *next);
    }
    return preemptions;
}

}  // namespace raddle
