// Functions and flags of its users that the scheduler uses: it tells them what happens, and asks them what only they
// know. They are declared here and defined there, so that no include leads upwards or in a circle: scheduler.cpp
// includes this header and none of theirs. Their own headers include this one, so each declaration stands once.
#pragma once

#include "preload/threads/thread.h"

namespace raddle {

namespace channel {
struct StackArea;
}

namespace scheduler::naps {  // schedule/naps.cpp
extern bool wanted;          // the setting
// Before an action of the current thread.
void before_action(Thread& me, const Action& action);
// Before the current thread reads a clock.
void before_clock_read(Thread& me);
// The current thread runs code of the program from here on.
void begin_stretch();
}  // namespace scheduler::naps

// ---- hooks/processes/attach.cpp
// Finds out the phase in which this process starts. True if it is not `off`.
bool attach();

// ---- hooks/threads/cancel.cpp
// Unwinds the current thread, which acts on its cancellation. Never returns.
void leave_thread_cancelled();

namespace external {  // hooks/files/external.cpp
// Some thread has waited for something outside the program. From then on the scheduler calls update_readiness().
extern bool used;
// Tells the machine which pending actions are ready. Waits if no thread can run, or if the plan wants `planned` and
// that thread is not ready.
void update_readiness(ThreadSlot planned);
}  // namespace external

namespace signals {  // hooks/signals
// The program has a handler, or a signal came from outside: threads check their signals before each action.
extern bool armed;
// Performs an action of the current thread, once armed: delivers its signals first, and lets signals interrupt a wait.
ActionOutcome act_interruptibly(const Action& action);
// A thread that waits for something else has a signal to take, so a verdict about the other threads would be wrong.
bool somebody_missed_one();
// In a forked child, which has no pending signals.
void start_over();
// The program has a handler for the end of its children.
bool listens_to_children();
bool has_children();
// Some child's end would let a thread go on.
bool expects_from_child();
}  // namespace signals

namespace inherited {  // hooks/sync/inherited_locks.cpp
// In a forked child: remembers the mutexes of the machine as the fork left it.
void note(const Machine& machine, ThreadSlot forker);
// In the child's new machine: gives the thread the mutexes that it held when it forked.
void take(Machine& machine, ThreadSlot thread);
// Whether the action waits for ever, because a thread of the parent held the mutex.
bool blocks(const Action& action);
}  // namespace inherited

namespace debugger {                               // debug/debugger.cpp
extern bool attended;                              // the program runs in a debugger
void leave();                                      // in a child of the program
void introduce(Thread& thread);                    // lists a new thread
void stepped(std::uint32_t steps, Misuse misuse);  // this many steps were taken; the last one had this misuse
void ended();                                      // the execution is over and has its verdict
}  // namespace debugger

namespace stacks {                // debug/stacks.cpp
extern channel::StackArea* area;  // null: nobody wants stacks
void stop();                      // in a child of the program
void publish();                   // writes the counts, in the process that runs the plan
// Copies the stack of a thread that is about to make its `number`-th event.
void take(const Thread& thread, std::uint32_t number);
// The thread's last snapshot is the one of the crash.
void publish_crash(const Thread& thread);
}  // namespace stacks

namespace restore {  // restore/restorable_child.cpp
// The execution is over: puts the process back to its start if possible, and ends it otherwise. `stack_pointer`: of the
// thread that ran last; 0 for the caller's.
[[noreturn]] void leave(int status, std::uint64_t stack_pointer = 0);
// The process never goes back to its start: it is a child of the program, or out of control.
void forget();
// The number of steps after which the execution keeps a checkpoint; no_checkpoint: it keeps none.
inline constexpr std::uint64_t no_checkpoint = ~std::uint64_t{0};
std::uint64_t next_checkpoint();
}  // namespace restore

namespace renewed_objects {         // intercept/renewed_objects.cpp
extern std::uint32_t watched;       // number of destroyed objects whose memory may become a new object
void announce(const Action& next);  // announces those that the current thread has made new since its last action
}  // namespace renewed_objects

namespace memory {                   // memory
extern bool active;                  // accesses count: code is patched, and an execution is recorded under a plan
extern std::uint32_t current_arena;  // arena of the running thread
extern std::uint64_t accesses;       // of this execution, by patched instructions
extern std::uint64_t breakpoints;    // those among them that came by a breakpoint
extern std::uint64_t visible_accesses, visible_breakpoints;  // the same for those that took the path of an action
// Breakpoints are slow, so an access by one counts as several in Result::accesses.
inline constexpr std::uint64_t accesses_of_a_breakpoint = 16;
extern std::uint64_t
    most_accesses;  // the limit of `accesses`; where it is exceeded, the thread naps or the execution ends
extern std::uint64_t unseen_writes;  // writes by watched instructions of the running thread, other than to its stack
extern std::uint32_t idle_reads;     // reads in a row that brought nothing new
inline constexpr std::uint32_t idle_reads_of_a_yield = 2000;  // a yield or a sleep between reads counts as this many
extern std::uint64_t action_mark;                             // changes after every action
void begin_execution();                                       // from now on accesses count
extern bool follows_stacks;  // accesses to stacks are followed, as some thread has used another one's
extern bool makes_stacks;    // the program makes stacks of its own, which may lie among its variables
void follow_stack();         // then before each action: some of its variables may have ended (memory/frames.h)
// Leads calls of libc to the shim, before the program's own code runs: some have effects that last.
void redirect_loaded_modules();
// Patches the code of the modules that are loaded and not patched yet.
void arm_loaded_modules();
// When it is the thread's turn: whether its action accesses freed memory.
bool accesses_freed(Thread& thread);
namespace unwatched {  // libraries whose accesses are not followed
extern bool any;       // some are loaded
extern bool lent;      // the running thread was alone and ran one
void begin_execution();
void acted(std::uint32_t arena);  // an action is over; the thread with this arena runs now
}  // namespace unwatched
namespace shadow {
void report();  // reports sites that accessed shared memory to the supervisor
}
namespace passed_code {
// The label of the watched code that was run since the last call (supervisor/protocol/code_label.h).
std::uint64_t take_label();
}  // namespace passed_code
namespace spinning {
bool is_mistaken();  // some thread waits for a change that has already happened
}
namespace foreign_writes {
extern bool is_writing;  // the last action was a write to another thread's stack ...
void wrote();            // ... which has now been executed
}  // namespace foreign_writes
namespace effects {  // effects.cpp
// Before and after an action in a call of the program whose accesses are actions. Other threads run between the two.
void before_action(FollowedCall& call);
void after_action(FollowedCall& call);
}  // namespace effects
}  // namespace memory

}  // namespace raddle
