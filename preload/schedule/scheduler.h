// The heart of the shim. A thread of the target announces what it is about to do, act(); the announcing thread itself
// then asks the chooser who goes, applies the step to the machine and records it, until it is its own turn or another
// thread's code has to run. No system call on this path, and no context switch if the thread goes on itself.
//
// Phases: off       not under raddle: every intercepted function calls the real one
//        alone      no thread was created yet: actions are applied and recorded, there is nothing to choose
//        scheduled  under a plan
//        ended      the execution is over and judged; what is left (flushing, …) runs on unrecorded
// A forked child of the target starts over as a program of its own, under a plan that lets threads run on, with a
// channel that nobody reads.
#pragma once

#include "preload/schedule/callbacks.h"
#include "supervisor/protocol/channel.h"

namespace raddle {

enum class Phase : std::uint8_t { unknown, off, alone, scheduled, ended };
extern Phase phase;

// Whether intercepted functions do their work; otherwise they call the real ones.
inline bool controlled() { return phase > Phase::off || (phase == Phase::unknown && attach()); }
inline bool recorded() { return phase == Phase::alone || phase == Phase::scheduled; }

// What came of it, once it is this thread's turn. Does not return if the thread acts on its cancellation.
// For the caller: nothing with a destructor may be alive across it.
Outcome act(const Action& action);

namespace scheduler {

Thread& current();
Machine& machine();
channel::Channel* shared();     // null in phase off

void begin(channel::Channel* channel);
void take_up_plan();            // by the process that carries it out: from now on the phase is governed
// Announces the action of the current thread, runs others until it is that thread's turn, and performs it.
Outcome perform(const Action& action);
// The locks that a lone thread took without events become events (lone_thread_locks.h).
void record_held_locks();
void introduce(Thread& thread); // it was created in the machine: gives it its slot
std::uint64_t virtual_time();   // of the current thread; where pasts do not say what time it is, looking is an action
void read_clock();              // one that does nothing but read the clock is made to sleep now and then
void start_over_unwatched();    // after fork, in the child
bool watched();                 // somebody reads the record: not so in a child of the target's own
void note_external_event(std::uint32_t event);  // a channel::external_event: what came was not up to the schedule

// The execution ends here and now.
[[noreturn]] void end_with(channel::End end, const char* message, const char* detail = "");
// The kernel keeps for each thread what the program is about to change: fibers would share it.
void needs_kernel_threads(const char* what);
void needs_fibers(const char* what);
void set_message(const char* message, const char* detail = "");
void publish_modules();
// Publishes what happened if nobody did yet; to be called before anything that ends the process.
void conclude(channel::End end);

}  // namespace scheduler

}  // namespace raddle
