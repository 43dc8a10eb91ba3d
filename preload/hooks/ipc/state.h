// A state of the system that only the shim knows, and threads that wait until it changes. Use: enter() the state, look
// at it, and change it or wait. No other thread uses the state between enter() and the thread's next action. A wait
// ends after a change by another thread; then the thread enters again and looks again. Which of several waiting threads
// comes first is a choice of the search.
#pragma once

#include "preload/hooks/sync/futex.h"
#include "preload/intercept/describe.h"
#include "supervisor/model/tool_objects.h"

namespace raddle::state {

inline ObjectId object(std::uint64_t kind, std::uint64_t number) { return object_in(Space::named, kind, number); }

inline void enter(const ObjectId& state) {
    if (!recorded()) return;
    Action action = of(Operation::state_enter);
    action.object = state;
    act(action);
}

struct Limit {
    bool timed = false;
    std::uint64_t deadline = 0;  // virtual time

    static Limit after(const timespec* span) {
        if (span == nullptr) return {};
        return {true, scheduler::virtual_time() + nanoseconds_of(span)};
    }
};

enum class Waited { changed, timed_out, interrupted };

// `is_point`: a cancellation point.
inline Waited wait(const ObjectId& state, const Limit& limit, bool is_point) {
    Action action = futex::wait_in(state);
    action.site = canonical::site_of(call_site);
    if (limit.timed) {
        action.flags |= flag::timed | flag::absolute;
        action.set_timeout(limit.deadline);
    }
    const ActionOutcome outcome = act(is_point ? point(action) : action);
    if (outcome.effect == Effect::timed_out) return Waited::timed_out;
    return outcome.result == EINTR || outcome.result == ERESTART ? Waited::interrupted : Waited::changed;
}

// After a change that may end the waits of others.
inline void changed(const ObjectId& state) {
    if (phase != Phase::scheduled) return;
    const ObjectSlot slot = scheduler::machine().find_object(state);
    if (slot == no_slot || scheduler::machine().object(slot).waiters == 0) return;
    Action action = futex::wake_all(state);
    action.site = canonical::site_of(call_site);
    act(action);
}

}  // namespace raddle::state
