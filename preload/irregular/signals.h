// Signals, as far as threads deal them out among themselves: who has which pending and blocked is known here only; the
// kernel's view is that of a process with one thread.
//   * What a thread can see of its signals is ordered by its queue (futex.h): it looks at it before each of its
//     actions, once the program has a handler, and who sends it a signal wakes the queue.
//   * Handlers run on the thread they are for, at its next action, or where it waits in one of the calls that a signal
//     ends: sigwait and its family, sigsuspend, pause, sleeps, semaphores.
#pragma once

#include <signal.h>

#include "preload/thread.h"

namespace raddle::signals {

// The program has a handler, or a signal came from outside: threads look at their signals.
extern bool armed;
// Called before an action of the current thread is announced.
void meet();

void inherit(Thread& child, const sigset_t* mask);  // null: the creator's
// What replaces the program inherits what its thread blocks, and lives on with it: what the kernel has for it is kept
// here again.
void mask_to_kernel(std::uint64_t* before);
void mask_from_kernel(std::uint64_t before);
void mask_of_start();
// A thread that waits for something else has a signal to take: whatever is said of the others would be wrong.
bool somebody_missed_one();

// For calls that a signal ends. begin; then until it is over: look; if nothing was taken, sleep.
enum class Taken { nothing, restarts, interrupts };
void begin_wait();
void end_wait();
Taken look();
Outcome sleep(std::uint64_t deadline, bool timed);  // deadline in virtual time
void awaken(Thread& thread);

// False if a handler ran before that time came.
bool sleep_until(std::uint64_t deadline);

// A semaphore that a signal can interrupt: what sem_wait means once armed; and what a post has to do besides.
std::int64_t wait_for_semaphore(const Action& wait);
void semaphore_was_posted(const ObjectId& semaphore);

}  // namespace raddle::signals
