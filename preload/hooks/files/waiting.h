// Waits of calls on descriptors. The thread asks for an answer; if there is none, it waits for a change of the
// descriptor table, and asks again. It therefore depends on every action on any descriptor. That is more than
// necessary, but misses nothing.
#pragma once

#include <poll.h>

#include "preload/hooks/files/descriptors.h"
#include "preload/hooks/files/external.h"
#include "preload/hooks/signals/signals.h"
#include "preload/hooks/time/timers.h"
#include "supervisor/model/interruption.h"

namespace raddle::fds {

inline constexpr std::int64_t for_ever = -1;

struct AnyWait {
    pollfd* descriptors = nullptr;
    int count = 0;
    bool external_too = false;           // another process may end the wait
    std::int64_t timeout = for_ever;     // nanoseconds; 0: does not wait
    bool (*condition)(void*) = nullptr;  // with external_too: it can end the wait, beside the descriptors
    void* argument = nullptr;
};

// `ask` returns the answer without waiting: 0 if there is none yet. Returns the answer, 0 if the time has run out, or
// -EINTR. signals::mine().taken then tells whether a call that restarts would have gone on.
template <typename Ask>
long wait_for_any(const AnyWait& wanted, Ask ask) {
    if (!recorded()) return ask();
    Action action = of(Operation::descriptor_wait);
    action.object = table();
    action.second = own_object();
    action.set_version(-1);  // the first action only checks
    ActionOutcome outcome = act(point(action));
    if (was_interrupted(outcome)) return -EINTR;
    const std::int64_t timeout = wanted.timeout;
    const std::uint64_t end = timeout > 0 ? scheduler::virtual_time() + static_cast<std::uint64_t>(timeout) : 0;
    const Flags untimed = action.flags;
    if (wanted.external_too) external::used = true;
    // A wait for a single descriptor without a time limit always ends in the same way, so it is no external
    // event.
    if (wanted.external_too && (timeout != for_ever || wanted.count > 1))
        scheduler::note_external_event(channel::external_event::ready);
    for (;;) {
        timers::write_expirations();
        signals::show_in_descriptors();
        const long found = ask();
        const bool too_late = outcome.effect == Effect::timed_out && end != 0 && action.timeout() == end;
        if (found != 0 || timeout == 0 || too_late) return found;
        const std::uint64_t expiration = timers::next_expiration(wanted.descriptors, wanted.count);
        action.set_timeout(end == 0 || (expiration != 0 && expiration < end) ? expiration : end);
        action.flags = static_cast<Flags>(untimed | (wanted.external_too ? flag::contents_unknown : 0) |
                                          (action.timeout() != 0 ? flag::timed | flag::absolute : 0));
        if (outcome.effect == Effect::timed_out) {  // no version of the table came back: check again
            action.set_version(-1);
            action.flags = untimed;
            outcome = act(point(action));
            if (was_interrupted(outcome)) return -EINTR;
            continue;
        }
        external::Wait& wait = external::wait_of(scheduler::current());
        wait = {};
        wait.descriptors = wanted.descriptors;
        wait.count = wanted.count;
        wait.condition = wanted.condition;
        wait.argument = wanted.argument;
        action.set_version(outcome.result);
        outcome = act(point(action));
        if (was_interrupted(outcome)) return -EINTR;
    }
}

// The same for a call that goes on after handlers with SA_RESTART.
template <typename Ask>
long wait_and_restart(const AnyWait& wanted, Ask ask) {
    for (;;) {
        const long found = wait_for_any(wanted, ask);
        if (found != -EINTR || signals::mine().taken == signals::Taken::interrupts) return found;
    }
}

// Waits until the kernel says that the descriptor is ready for these events, or in an erroneous state. Returns -EINTR
// if a signal came first.
long wait_until_ready(int fd, short events);

}  // namespace raddle::fds
