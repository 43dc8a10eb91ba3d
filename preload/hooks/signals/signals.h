// Signals between threads. The shim alone knows which are pending and blocked; the kernel sees a process with one
// thread.
//   * Each thread has a queue (futex.h) that orders its view of its signals. Once the program has a handler, the
//     thread checks the queue before each of its actions. Sending a signal wakes the queue.
//   * A handler runs on the receiving thread at its next action, or in its wait. Calls that wait for signals or time
//     (sigwait, sigsuspend, pause, sleep) wait in the thread's queue. All other waits are interrupted
//     (interruption.cpp).
#pragma once

#include <signal.h>
#include <ucontext.h>

#include "preload/intercept/describe.h"
#include "preload/schedule/callbacks.h"
#include "supervisor/model/tool_objects.h"

namespace raddle::signals {

// preload/schedule/callbacks.h declares what the scheduler calls.
void inherit(Thread& child, const sigset_t* mask);  // null: the mask of the creator
// exec and new processes inherit the kernel's mask. These functions write the thread's mask to the kernel, restore
// the kernel's, and read the mask at the start.
void mask_to_kernel(std::uint64_t* before);
void mask_from_kernel(std::uint64_t before);
void read_start_mask();
// Call before a child is started: if the thread blocks SIGCHLD, it will wait for the signal.
void expect_from_child();

// The effect of delivered signals on an interrupted call.
enum class Taken { nothing, restarts, interrupts };
// Runs the handlers of the current thread's pending signals. Returns the strongest effect.
Taken run_pending_handlers();
void take_last_signals();  // before the end of the calling thread

// For calls that wait for a signal or for time: begin_wait(); then check_for_signals() and, if nothing came,
// sleep_in_queue(), until the wait is over; then end_wait().
void begin_wait(std::uint64_t awaited = 0);  // `awaited`: signals that the call itself takes
void end_wait();
Taken check_for_signals();
ActionOutcome sleep_in_queue(std::uint64_t deadline, bool timed);  // the deadline is virtual time
void wake_sleeper(Thread& thread);                                 // wakes a thread in sleep_in_queue()
void interrupt_wait(Thread& thread);                               // interrupts any other wait

// False if a handler ran first.
bool sleep_until(std::uint64_t deadline);

// ---- signalfd (signal_descriptors.cpp)
// The program holds an eventfd. It is readable for a thread if one of the descriptor's signals is pending for the
// thread or for the process; the shim makes it so before the thread asks the kernel. Sending a signal changes the
// descriptor table, so threads that wait for descriptors ask again.

bool has_descriptors();                       // the program has made one
std::uint64_t awaited_by_descriptor(int fd);  // 0: it is none
// Call it after an action on the descriptor table, before the kernel is asked.
void show_in_descriptors();
// Before a signal becomes pending for another thread, or for the process.
void announce_to_descriptors(int signal);
// read() from a signalfd. Returns the kernel's result.
long read_descriptor(int fd, void* buffer, std::size_t bytes);

// ---- for the files of this folder

inline constexpr int signal_count = 65;
inline constexpr std::uint32_t process_wide =
    ~0u;  // in place of an arena: pending for the process, blocked by all threads

constexpr std::uint64_t bit_of(int signal) { return std::uint64_t{1} << (signal - 1); }
inline constexpr std::uint64_t unblockable = bit_of(SIGKILL) | bit_of(SIGSTOP);
inline bool is_signal(int signal) { return signal > 0 && signal < signal_count; }

inline std::uint64_t bits_of(const sigset_t& set) { return set.__val[0]; }
inline void put(sigset_t* set, std::uint64_t bits) {
    *set = {};
    set->__val[0] = bits;
}

// The queue of signals for the process. Threads that send, take or check one exclude each other.
inline constexpr ObjectId process_queue = object_in(Space::tool, 0, 0x200);

// The handlers of the process. Changes exclude each other and all deliveries.
inline constexpr ObjectId dispositions = object_in(Space::tool, 0, tool::dispositions);

struct Receiver {
    std::uint64_t blocked = 0;
    std::uint64_t blocked_before_handlers = 0;  // mask before the outermost running handler
    std::uint64_t awaited = 0;                  // signals that sigwait waits for
    std::uint32_t handlers = 0;                 // number of nested running handlers
    stack_t stack = {};
    std::uint32_t handlers_in_queue = 0;    // handlers that run while the thread stands in a queue of the machine
    std::uint32_t handlers_at_barrier = 0;  // those of them that interrupted a wait at a barrier
    Taken taken = Taken::nothing;           // effect of the signal that interrupted the last wait
    bool opened_mask = false;               // a wait like ppoll changed the mask: any delivered signal ends it
    bool skips_checks = false;              // actions do not check for signals first
    bool has_left = false;                  // its thread is about to end and takes no signal any more
};

struct Queued {
    bool used;
    std::uint32_t arena;  // arena of the receiver
    std::uint64_t arrival;
    siginfo_t info;
};

enum class Disposition { by_default, ignored, handled };

Receiver& receiver(const Thread& thread);
Receiver& mine();
struct sigaction& action_of(int signal);
Disposition disposition(int signal);
bool is_fatal(int signal);  // its delivery ends the process
[[noreturn]] void end_process(int signal);
bool has_no_effect(int signal);  // its delivery does nothing
bool is_on(const stack_t& stack);
bool enqueue(std::uint32_t arena, const siginfo_t& info);
bool dequeue(std::uint64_t set, siginfo_t& info);
std::uint64_t pending(std::uint64_t set);
bool is_pending(std::uint32_t arena, std::uint64_t set);  // for the thread or the process
enum class LastAction { used_queue, ordered_with_handlers };
Taken deliver_pending(LastAction last = LastAction::used_queue);
void need_checks();          // ends the execution if threads do not check for signals from the start
void refuse_in_queue();      // ends the execution if the thread stands in a queue of the machine
void claim_process_queue();  // until the caller's next action, no other thread takes signals of the process
void order_with_handlers(const Thread& receiver);  // before a look at a handler
void change_handlers();                            // before a change
void act_without_checks(const Action& action);     // only beside other threads, and without taking a signal first
void check_queue(const Thread& thread, bool may_be_cancelled);
// Sends to the thread with this id; 0: to the process.
void send_by_timer(const siginfo_t& info, pid_t thread);
void watch_faults(int signal);  // sets the shim's crash handler again
// Passes a signal to the program that the shim's handler got from the kernel.
void pass_to_program(int signal, siginfo_t* info, void* context);
void take_external();
void forget_external();
bool has_external();
// Waits for a signal of the set. If that can be SIGCHLD, waits for the end of a child as an external event.
ActionOutcome wait_for_signal(std::uint64_t set, std::uint64_t deadline, bool timed);
void catch_external(int signal, const struct sigaction& wanted);

}  // namespace raddle::signals
