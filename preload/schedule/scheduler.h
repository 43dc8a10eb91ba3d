// The heart of the shim. A thread of the program announces its next action with act(). The announcing thread itself
// then asks the chooser which thread goes next, applies that step to the machine (the model of locks, threads and
// memory), and records it. It repeats this until it is its own turn, or until another thread's code has to run. This
// path makes no system call, and no context switch if the thread goes on itself.
//
// Phases of a process:
//   off         raddle does not control the process: every intercepted function calls the real one.
//   alone       no thread was created yet: actions are applied and recorded; there is nothing to choose.
//   scheduled   a plan decides which thread goes next.
//   ended       the execution is over and has its verdict; the remaining code (flushing files, ...) runs unrecorded.
//
// A forked child of the program starts over as a program of its own: its plan lets each thread run on, and nobody reads
// its channel.
#pragma once

#include "preload/schedule/callbacks.h"
#include "supervisor/protocol/channel.h"

namespace raddle {

enum class Phase : std::uint8_t { unknown, off, alone, scheduled, ended };
extern Phase phase;

// Whether intercepted functions do their work. Otherwise they call the real ones.
inline bool controlled() { return phase > Phase::off || (phase == Phase::unknown && attach()); }
inline bool recorded() { return phase == Phase::alone || phase == Phase::scheduled; }

// Performs an action of the current thread when it is that thread's turn, and returns its outcome. Does not return if
// the thread acts on its cancellation. The caller must not hold an object with a destructor across this call.
ActionOutcome act(const Action& action);

// The same, but the thread does not act on its cancellation: trampolines have no unwind information.
ActionOutcome act_uncancelled(const Action& action);

namespace scheduler {

Thread& current();
Machine& machine();
channel::Channel* shared();  // the channel; null in phase off

void begin(channel::Channel* channel);
void start_plan();       // the process that runs the plan enters phase `scheduled`
void go_on_with_plan();  // at a checkpoint: the plan in the channel decides from here on
// Announces the action of the current thread, runs others until it is that thread's turn, and performs it.
ActionOutcome perform(const Action& action);
// The locks that a lone thread took without events become events (lone_thread_locks.h).
void record_held_locks();
void introduce(Thread& thread);  // gives a new thread its slot in the machine
std::uint64_t virtual_time();    // of the current thread. With independence by values, reading the time is an action
void read_clock();               // before the current thread reads a clock (naps.h)
void start_over_in_child();      // after fork, in a child that is not followed
bool is_target();                // this process is the program under test, not a child of it
void note_external_event(std::uint32_t event);  // bits of channel::external_event
void note_missing_call(const char* name);       // the program made this system call, and got ENOSYS

// Publishes an action that a thread announced, for reports.
void show_pending(ThreadSlot slot);

// ---- ending.cpp
// Ends the execution at once.
[[noreturn]] void end_with(channel::End end, const char* message, const char* detail = "");
// The program is about to change (by a call of this name) state that the kernel keeps per thread: fibers would share
// it.
void needs_kernel_threads(const char* what);
// The program is about to change state of all threads at once, and raddle can do that for fibers only.
void needs_fibers(const char* what);
// Sets the execution's message, unless there is one already.
void set_message(const char* message, const char* detail = "");
// The end by this thread came first: what it left becomes the verdict's.
void publish_last_words(const Thread& thread);
// The thread ended the process, and others go on for too long. The verdict is about the end all the same.
[[noreturn]] void cut_after_end(const Thread& thread);
// How the machine's ending is told to the supervisor.
channel::End end_of(Ending ending);
void publish_modules();
// Publishes the end of the execution, once. Call it before anything that ends the process.
void conclude(channel::End end);
void forget_conclusion();  // in a child

}  // namespace scheduler

}  // namespace raddle
