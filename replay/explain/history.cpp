#include "replay/explain/history.h"

#include <algorithm>

#include "supervisor/trace/data_races.h"

namespace raddle {

History::History(const Execution& execution, MachineOptions options) : execution_(execution), replay_(options) {
    std::set<std::size_t> racing;
    if (execution.verdict == Verdict::race)
        for (const DataRace& race : races_back_to_back(execution)) racing.insert({race.first, race.second});
    replay_.begin(execution_);
    while (replay_.more()) {
        const std::size_t at = replay_.position();
        const std::uint32_t before = replay_.preemptions();
        const Event& event = replay_.event();
        if (event.misuse != Misuse::none || racing.contains(at)) before_[at] = holds_;
        const ThreadSlot slot = machine().find_thread(event.thread);
        const bool is_early = event.effect == Effect::timed_out && event.action.operation != Operation::yield &&
                              machine().times_out_early(slot);
        if (is_early) early_ends_.push_back({at, machine().wait_of(slot)});
        replay_.feed();
        if (replay_.preemptions() != before) preempting_.insert(at);
        follow(event, at);
    }
}

const Holds* History::holds_before(std::size_t event) const {
    const auto found = before_.find(event);
    return found == before_.end() ? nullptr : &found->second;
}

void History::take(const ObjectId& object, Hold hold) {
    holds_[object].push_back(hold);
    past_[hold.event] = {object, hold, std::nullopt};
}

void History::give_back(const ObjectId& object, ThreadId thread, std::size_t at) {
    std::vector<Hold>& held = holds_[object];
    if (held.empty()) return;
    const auto last = std::find_if(held.rbegin(), held.rend(), [&](const Hold& hold) { return hold.thread == thread; });
    const auto ends =
        last != held.rend() ? std::next(last).base() : std::prev(held.end());  // another thread's hold, after misuse
    past_[ends->event].until = at;
    held.erase(ends);
}

void History::follow(const Event& event, std::size_t at) {
    if (event.effect != Effect::done) return;
    const OperationTraits& what = traits(event.action.operation);
    follow(what.lock, event.action.object, event.thread, at);
    follow(what.second_lock, event.action.second, event.thread, at);
}

void History::follow(LockChange change, const ObjectId& lock, ThreadId thread, std::size_t at) {
    switch (change) {
        case LockChange::takes: return take(lock, {thread, at, false});
        case LockChange::takes_shared: return take(lock, {thread, at, true});
        case LockChange::gives_back:
        case LockChange::abandons: return give_back(lock, thread, at);
        case LockChange::queues:
        case LockChange::unchanged: return;
    }
}

}  // namespace raddle
