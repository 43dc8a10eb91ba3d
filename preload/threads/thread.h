// The program's threads, as the shim knows them: one record for each arena. A record outlives its thread until another
// thread gets the arena, so that a stale pthread_t still has a name.
#pragma once

#include <pthread.h>

#include "preload/base/thread_arena.h"
#include "preload/threads/backend.h"
#include "supervisor/model/machine.h"

namespace raddle {

namespace channel {
struct Crash;
}
namespace memory::effects {
class FollowedCall;
}

// A call in progress that has to clean up when an exception or a cancellation leaves it (pthread_once and others).
struct Guarded {
    Guarded* outer;
    ObjectId object;
    void (*left)(Guarded&);
};

struct Thread {
    ThreadId id{};
    ThreadSlot slot = no_slot;
    std::uint32_t arena = 0;  // number of its thread arena
    backend::ThreadContext context{};
    void* (*routine)(void*) = nullptr;
    void* argument = nullptr;
    void* result = nullptr;
    ActionOutcome outcome{};                            // of its last action, until the thread's code fetches it
    Guarded* guarded = nullptr;                         // innermost first
    std::uint64_t random_words = 0;                     // number of random words drawn so far
    std::uint64_t processors = 0;                       // processor mask that the thread has set; 0: all
    std::uint32_t clock_reads = 0;                      // since its last action, or its last nap (schedule/naps.h)
    std::uint32_t naps = 0;                             // naps that it took
    std::uint32_t work = 0;                             // actions since its last wait for time
    std::uint32_t progress = 0;                         // actions and clock reads, except those that only let time pass
    std::uint64_t writes = 0;                           // writes by watched instructions, other than to its own stack
    Misuse found = Misuse::none;                        // misuse that the shim found in its next action
    std::uint64_t next_address = 0;                     // address that its next action accesses; 0: none
    std::uint64_t code = 0;                             // the label of the code before its next action (code_label.h)
    memory::effects::FollowedCall* followed = nullptr;  // the visible call in progress (memory/calls/effects.h)
    bool known = false;                                 // the record is in use
    bool ended = false;                                 // the thread's code will not run again
    bool detached = false;
    bool holds_memory = false;  // its stack is still in use
    bool cancel_disabled = false;
    bool cancel_asynchronous = false;
    bool leaving = false;  // the thread is unwinding; it no longer acts on cancellation
    bool joining = false;  // another thread joins it
    char name[16] = {};
    // If it ends the process: its message for the verdict, and its fatal signal (null: none). They lie on its stack.
    const char* last_words = nullptr;
    const channel::Crash* crash = nullptr;
    std::uint64_t stopped_at = 0;  // its stack pointer at the fatal signal: it then runs on another stack
};

namespace thread_table {

inline constexpr std::uint32_t count = thread_arena::count;

Thread& main();
Thread& at(std::uint32_t arena);
// A free record for the parent's child of this number. Null if there are too many threads.
Thread* add(ThreadId parent, std::uint32_t number);
Thread* find(pthread_t handle);  // null if no thread ever had this handle
Thread* find(ThreadId id);       // null if there is no such thread, or another one has its record by now

}  // namespace thread_table

inline pthread_t handle_of(const Thread& thread) { return reinterpret_cast<pthread_t>(thread.context.self); }

// The end of the thread's stack if this address is on it; 0 otherwise.
std::uint64_t end_of_stack(const Thread& thread, std::uint64_t pointer);

}  // namespace raddle
