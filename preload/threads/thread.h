// The threads of the target as the shim knows them, one record a territory. A record outlives its thread until the
// territory is given to another, so that a stale pthread_t still has a name.
#pragma once

#include <pthread.h>

#include "preload/base/thread_arena.h"
#include "preload/threads/backend.h"
#include "supervisor/model/machine.h"

namespace raddle {

// A call in progress that has to be told when an exception or a cancellation leaves it (pthread_once, …).
struct Guarded {
    Guarded* outer;
    ObjectId object;
    void (*left)(Guarded&);
};

struct Thread {
    ThreadId id{};
    ThreadSlot slot = no_slot;
    std::uint32_t arena = 0;           // the number of its thread arena
    backend::Strand strand{};
    void* (*routine)(void*) = nullptr;
    void* argument = nullptr;
    void* result = nullptr;
    Outcome outcome{};                 // of its last action, until its code takes it
    Guarded* guarded = nullptr;        // innermost first
    std::uint64_t random_words = 0;    // drawn so far
    std::uint64_t processors = 0;      // it may run on, as it believes; 0: all
    std::uint32_t clock_reads = 0;     // since its last action
    std::uint32_t deeds = 0;           // actions and looks at the clock, but for those that only let time pass
    std::uint64_t writes = 0;          // by instructions that are no actions, beside its own stack
    Misuse found = Misuse::none;       // by the shim, in its next action
    std::uint64_t touches = 0;         // memory that it touches in its next action
    bool known = false;                // there is, or was, such a thread
    bool ended = false;                // its code will not run again
    bool detached = false;
    bool holds_memory = false;         // its stack is not given back yet
    bool cancel_disabled = false;
    bool cancel_asynchronous = false;
    bool leaving = false;              // unwinding: cancellation is no longer acted on
    bool joining = false;              // somebody else's join has taken it
    char name[16] = {};
};

namespace threads_of_target {

inline constexpr std::uint32_t count = thread_arena::count;

Thread& main();
Thread& at(std::uint32_t arena);
// A free record for the parent's next child; null if there are too many threads.
Thread* add(ThreadId parent, std::uint32_t number);
Thread* find(pthread_t handle);       // null: no thread ever had this handle
Thread* find(ThreadId id);            // null: none, or its record is another's by now

}  // namespace threads_of_target

inline pthread_t handle_of(const Thread& thread) { return reinterpret_cast<pthread_t>(thread.strand.self); }

}  // namespace raddle
