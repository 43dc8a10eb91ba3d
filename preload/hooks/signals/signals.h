// Signals, as far as threads deal them out among themselves: who has which pending and blocked is known here only; the
// kernel's view is that of a process with one thread.
//   * What a thread can see of its signals is ordered by its queue (futex.h): it looks at it before each of its
//     actions, once the program has a handler, and who sends it a signal wakes the queue.
//   * Handlers run on the thread they are for, at its next action, or where it waits: in its own queue if the call waits
//     for signals or time (sigwait and its family, sigsuspend, pause, sleeps); in all others by interrupting the action
//     that waits (interruption.cpp).
#pragma once

#include <signal.h>
#include <ucontext.h>

#include "preload/intercept/describe.h"
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
Taken run_pending_handlers();

// For calls that wait for a signal or for time. begin; then until it is over: look; if nothing was taken, sleep.
void begin_wait(std::uint64_t awaited = 0);  // the signals that the call itself takes
void end_wait();
Taken check_for_signals();
Outcome sleep_in_queue(std::uint64_t deadline, bool timed);  // deadline in virtual time
void wake_sleeper(Thread& thread);      // who sleeps
void interrupt_wait(Thread& thread);   // who waits for anything else

// False if a handler ran before that time came.
bool sleep_until(std::uint64_t deadline);

// ---- for the files of this folder

inline constexpr int signal_count = 65;
inline constexpr std::uint32_t process_wide = ~0u;  // the arena of signals for the whole process that all threads block

constexpr std::uint64_t bit_of(int signal) { return std::uint64_t{1} << (signal - 1); }
inline constexpr std::uint64_t unblockable = bit_of(SIGKILL) | bit_of(SIGSTOP);
inline bool is_signal(int signal) { return signal > 0 && signal < signal_count; }

inline std::uint64_t bits_of(const sigset_t& set) { return set.__val[0]; }
inline void put(sigset_t* set, std::uint64_t bits) {
    *set = {};
    set->__val[0] = bits;
}

// The queue of signals for the process as a whole: who sends one, or takes one, excludes who looks for one.
inline constexpr ObjectId process_queue = object_in(Space::tool, 0, 0x200);

struct Receiver {
    std::uint64_t blocked = 0;
    std::uint64_t blocked_before_handlers = 0;  // before the outermost of the handlers that run
    std::uint64_t awaited = 0;          // by sigwait
    std::uint32_t handlers = 0;         // that run, one within the other
    stack_t stack = {};
    std::uint32_t handlers_in_queue = 0;           // handlers that run while it stands in the queue of a condition
    Taken taken = Taken::nothing;       // where its last wait was interrupted
    bool opened_mask = false;       // for the time of a wait that whatever it lets in ends
    bool skips_checks = false;                  // does not look at its signals before its actions
};

struct Queued {
    bool used;
    std::uint32_t arena;                // of the thread
    std::uint64_t arrival;
    siginfo_t info;
};

enum class Disposition { by_default, ignored, handled };

Receiver& receiver(const Thread& thread);
Receiver& mine();
struct sigaction& action_of(int signal);
Disposition disposition(int signal);
bool is_fatal(int signal);          // who takes it ends all
[[noreturn]] void end_process(int signal);
bool has_no_effect(int signal);            // who takes it does nothing
bool is_on(const stack_t& stack);
bool enqueue(std::uint32_t arena, const siginfo_t& info);
bool dequeue(std::uint64_t set, siginfo_t& info);
std::uint64_t pending(std::uint64_t set);
bool is_pending(std::uint32_t arena, std::uint64_t set);  // for this thread or the process
Taken deliver_pending();
void refuse_in_queue();                 // what cannot be while it stands in a queue
void claim_process_queue();              // what the process as a whole has pending is the caller's until its next action
void check_queue(const Thread& thread, bool may_be_cancelled);
// To the thread with this id of the kernel's; 0: to the process.
void send_by_timer(const siginfo_t& info, pid_t thread);
void watch_faults(int signal);          // as before the program had a handler
// A signal that the kernel brought to the shim, and that is not for the shim.
void pass_to_program(int signal, siginfo_t* info, void* context);
void take_external();
bool has_external();
// Until one of the set is there; the end of a child is waited for as what it is. As sleep.
Outcome wait_for_signal(std::uint64_t set, std::uint64_t deadline, bool timed);
void catch_external(int signal, const struct sigaction& wanted);

}  // namespace raddle::signals
