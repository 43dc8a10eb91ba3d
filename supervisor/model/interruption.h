// Signals end waits. A signal can interrupt a wait again and again; a cancellation ends its thread once. Both use the
// cancellation mark of the thread, and the flag `cancellable` says that a wait can be left by either. So every rule for
// races with a cancellation also holds for races with a signal.
//   * A thread_cancel with attribute::cancel::signal increments a counter in the mark, and cancels nothing.
//   * An `interruptible` wait (it is `cancellable` too, because it uses the mark) is left if the counter is ahead of
//     the number that its thread has seen. Its effect is `cancelled`, its result EINTR, or interrupted_in_time if it
//     could have gone on as well, and the thread's code runs. The mark holds that number too (tickets); only its own
//     thread writes it.
//   * A thread that leaves the wait for a condition, or at a barrier, stays in the queue. It goes on when it announces
//     the same pending action again, and must not wait in another queue meanwhile.
#pragma once

#include "supervisor/model/action.h"
#include "supervisor/model/outcome.h"

namespace raddle {

namespace error {
inline constexpr std::int64_t interrupted = 4;
// It could have gone on: the call does not fail, but goes on after the handlers.
inline constexpr std::int64_t interrupted_in_time = 85;
}  // namespace error

constexpr bool is_signal(const Action& action) {
    return action.operation == Operation::thread_cancel && (action.attributes & attribute::cancel::signal) != 0;
}

constexpr bool was_interrupted(const ActionOutcome& outcome) {
    return outcome.effect == Effect::cancelled && !outcome.cancels && !outcome.continues &&
           (outcome.result == error::interrupted || outcome.result == error::interrupted_in_time);
}

}  // namespace raddle
