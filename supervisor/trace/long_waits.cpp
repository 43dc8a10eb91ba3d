#include "supervisor/trace/long_waits.h"

#include <algorithm>

namespace raddle {

// Time begins at 0, so a point in time before the limit is no long wait either.
bool LongWaits::may_be_long(const Action& action) const {
    return can_time_out(action) && action.limit_or_initial >= limit_;
}

bool LongWaits::waits_long_beside_others(ThreadSlot thread) const {
    const Machine& machine = replay_.machine();
    if (machine.thread(thread).life != Life::announced || machine.wait_of(thread) < limit_) return false;
    for (ThreadSlot other = 0; other < machine.thread_count(); ++other) {
        const Life life = machine.thread(other).life;
        if (other != thread && life != Life::unborn && life != Life::ended) return true;
    }
    return false;
}

bool LongWaits::may_have_one(const Execution& execution) {
    const auto known = static_cast<std::ptrdiff_t>(execution.events.shared_with(before_));
    const bool has_happened = std::any_of(execution.events.begin() + known, execution.events.end(),
                                          [this](const Event& event) { return may_be_long(event.action); });
    before_ = has_happened ? Events() : execution.events;
    return has_happened ||
           std::ranges::any_of(execution.pending, [this](const Pending& next) { return may_be_long(next.action); });
}

// Where the question would cost much, a wait that may be long is enough.
bool LongWaits::are_in(const Execution& execution) {
    constexpr std::size_t most_events = 100'000;
    if (!may_have_one(execution) || has_one_thread(execution)) return false;
    if (execution.events.size() > most_events) return true;
    replay_.begin(execution);
    while (replay_.more())
        if (waits_long_beside_others(replay_.feed().thread)) return true;
    return false;
}

}  // namespace raddle
