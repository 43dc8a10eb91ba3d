// Signals end waits: what a thread waits in can be interrupted, again and again, where a cancellation ends its thread
// once. Both go by the thread's cancellation mark, and what waits says by the same flag that it can be left; so
// whatever holds for races with a cancellation holds for those with an interruption.
//   * A thread_cancel that is a `signal` counts one more in the mark, and cancels nobody.
//   * A wait that is `interruptible` (and cancellable, which says that it touches the mark) is left where there were
//     more signals than its thread knows of: its effect is `cancelled`, its result EINTR, and the thread's code runs.
//     How many it knows of stands in the mark too (tickets), and is touched by nobody else.
//   * Who leaves the wait for a condition stays in its queue: it goes on by announcing again what was pending, and
//     must not wait in another queue meanwhile.
#pragma once

#include "supervisor/model/operation.h"

namespace raddle {

namespace flag {
inline constexpr Flags interruptible = 64;
inline constexpr Flags uncancellable = 128;  // it is cancellable for the sake of the mark only
}  // namespace flag

namespace attribute {
inline constexpr std::uint8_t signal = 1;           // of a thread_cancel
}

namespace error {
inline constexpr std::int64_t interrupted = 4;
}

constexpr bool is_signal(const Action& action) {
    return action.operation == Operation::thread_cancel && (action.attributes & attribute::signal) != 0;
}

constexpr bool was_interrupted(const ActionOutcome& outcome) {
    return outcome.effect == Effect::cancelled && !outcome.cancels && !outcome.continues &&
           outcome.result == error::interrupted;
}

}  // namespace raddle
