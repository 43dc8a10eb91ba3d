// The outcome of an action: how it ended, what it returned, which objects it used.
#pragma once

#include <type_traits>

#include "supervisor/model/operation.h"

namespace raddle {

// How an action ended. Stored on disk: never renumber.
enum class Effect : std::uint8_t {
    done = 0,
    failed = 1,     // it was tried and refused; nothing changed
    timed_out = 2,  // its time limit was reached
    cancelled = 3,  // the thread acts on its cancellation, or on a signal
};

#define RADDLE_MISUSES(row)                                                                                           \
    row(none, "no misuse") row(unlock_not_owner, "unlocks a lock that another thread holds")                          \
        row(unlock_unlocked, "unlocks a lock that nobody holds") row(destroy_locked, "destroys a lock that is held")  \
            row(destroy_waited, "destroys an object that threads wait on")                                            \
                row(use_after_destroy, "uses an object that was destroyed")                                           \
                    row(use_uninitialised, "uses an object that was never initialised") row(                          \
                        init_in_use, "initialises an object that is in use")                                          \
                        row(wait_unheld_mutex, "waits on a condition with a mutex that it does not hold") row(        \
                            wait_other_mutex, "waits on a condition with another mutex than the threads that wait")   \
                            row(semaphore_overflow, "posts a semaphore beyond its largest value") row(                \
                                semaphore_negative, "gives a semaphore a value that it cannot have")                  \
                                row(barrier_bad_count, "initialises a barrier for no thread") row(                    \
                                    join_twice, "joins a thread that was joined already")                             \
                                    row(join_detached, "joins a detached thread") row(join_self, "joins itself") row( \
                                        detach_twice, "detaches a thread that was detached or joined already")        \
                                        row(consistent_unneeded, "marks a mutex consistent that is not inconsistent") \
                                            row(freed_memory, "uses memory that was freed") row(                      \
                                                relock_held, "takes a reader-writer lock that it holds for writing")  \
                                                row(cancel_ended, "cancels a thread that is gone")

// Stored on disk by name.
enum class Misuse : std::uint8_t {
#define RADDLE_ROW(name, text) name,
    RADDLE_MISUSES(RADDLE_ROW)
#undef RADDLE_ROW
};

// The name of an event: its thread, and its number in that thread from 1 on. Number 0 names none.
struct EventName {
    ThreadSlot thread = no_slot;
    std::uint32_t number = 0;

    friend constexpr bool operator==(const EventName&, const EventName&) = default;
};

// Both structures have no padding. They lie on the stacks of the program under test, the compiler would leave old bytes
// in padding, and raddle compares these stacks between processes.
struct ObjectUse {
    ObjectSlot object : 29;
    Mode mode : 2;
    // The event commutes with those before it as the mode says, but the same action of another thread could not have
    // come first (Guard::holds_for_one).
    bool was_contested : 1;

    constexpr ObjectUse() : ObjectUse(0, Mode::none) {}
    constexpr ObjectUse(ObjectSlot which, Mode how, bool contested = false)
        : object(which & 0x1fffffffu), mode(how), was_contested(contested) {}
};

// Two events of two threads, one after the other, do not commute.
constexpr bool depend(const ObjectUse& a, const ObjectUse& b) {
    return a.object == b.object && !commute(a.mode, b.mode);
}
// An action that could have come instead of this event, with this use, does otherwise after it.
constexpr bool disturbs(const ObjectUse& happened, const ObjectUse& other) {
    return happened.object == other.object && (happened.was_contested || !commute(happened.mode, other.mode));
}

// The objects that one action uses, at most: a spin_wait uses all variables that it awaits.
inline constexpr std::uint32_t most_uses = 8;

struct ActionOutcome {
    Effect effect = Effect::done;
    Misuse misuse = Misuse::none;
    bool continues = false;  // the call has another part; the thread's code does not run yet
    bool ends_thread = false;
    bool cancels = false;  // the thread's code is to unwind now
    std::uint8_t use_count = 0;
    std::uint8_t unused[2]{};
    std::int64_t result = 0;  // what the call returns: an error number, or the value read
    ObjectUse uses[most_uses]{};
    EventName enabler{};  // the event that made this one possible, where no shared object shows it
};
static_assert(std::has_unique_object_representations_v<ObjectUse> &&
              std::has_unique_object_representations_v<ActionOutcome>);

constexpr const char* name_of(Misuse misuse) {
    switch (misuse) {
#define RADDLE_ROW(name, text) \
    case Misuse::name: return #name;
        RADDLE_MISUSES(RADDLE_ROW)
#undef RADDLE_ROW
    }
    return "?";
}
constexpr const char* text_of(Misuse misuse) {
    switch (misuse) {
#define RADDLE_ROW(name, text) \
    case Misuse::name: return text;
        RADDLE_MISUSES(RADDLE_ROW)
#undef RADDLE_ROW
    }
    return "?";
}

}  // namespace raddle
