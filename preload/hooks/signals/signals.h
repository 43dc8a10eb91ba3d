// Signals, as far as threads deal them out among themselves: who has which pending and blocked is known here only; the
// kernel's view is that of a process with one thread.
//   * What a thread can see of its signals is ordered by its queue (futex.h): it looks at it before each of its
//     actions, once the program has a handler, and who sends it a signal wakes the queue.
//   * Handlers run on the thread they are for, at its next action, or where it waits: in its own queue if the call waits
//     for signals or time (sigwait and its family, sigsuspend, pause, sleeps); in all others by interrupting the action
//     that waits (interruption.cpp).
#pragma once

#include <signal.h>

#include "preload/schedule/callbacks.h"

namespace raddle::signals {

// More that the scheduler calls: preload/schedule/callbacks.h.
void inherit(Thread& child, const sigset_t* mask);  // null: the creator's
// What replaces the program inherits what its thread blocks, and lives on with it: what the kernel has for it is kept
// here again.
void mask_to_kernel(std::uint64_t* before);
void mask_from_kernel(std::uint64_t before);
void mask_of_start();
// A child is about to be started: who blocks the signal that tells of its end will wait for it.
void expect_from_child();

// Hands out to the current thread what it has; what is the strongest of what its handlers ask for?
enum class Taken { nothing, restarts, interrupts };
Taken meet();

// For calls that wait for a signal or for time. begin; then until it is over: look; if nothing was taken, sleep.
void begin_wait(std::uint64_t awaited = 0);  // the signals that the call itself takes
void end_wait();
Taken look();
Outcome sleep(std::uint64_t deadline, bool timed);  // deadline in virtual time
void awaken(Thread& thread);      // who sleeps
void interrupt(Thread& thread);   // who waits for anything else

// False if a handler ran before that time came.
bool sleep_until(std::uint64_t deadline);

}  // namespace raddle::signals
