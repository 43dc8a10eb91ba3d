// Operations, actions and their outcomes: what a thread is about to do, and what came of it.
#pragma once

#include <type_traits>

#include "supervisor/model/types.h"

namespace raddle {

enum class Operation : std::uint8_t {
#define RADDLE_OPERATION(name, ...) name,
#include "supervisor/model/operation.def"
#undef RADDLE_OPERATION
    count_
};
inline constexpr std::size_t operation_count = static_cast<std::size_t>(Operation::count_);

// What gives an operation its meaning; one file of the model each.
enum class Kind : std::uint8_t {
    none, thread, mutex, spin, rwlock, condition, semaphore, barrier, once, memory, timer, descriptor, process,
    futex
};

enum class Mode : std::uint8_t { none, shared, exclusive };

// Which relation says that two actions commute: the plain one knows only that reads do. The last one is the fine one,
// and whoever tells executions apart (trace/track.h) goes by the values that threads saw in memory rather than by who
// wrote them.
enum class Independence : std::uint8_t { plain, fine, values };

enum class MutexType : std::uint8_t { normal, recursive, errorcheck };

// Attributes of an object, sent with every action on it because statically initialised objects have no init.
namespace attribute {
inline constexpr std::uint8_t mutex_type_mask = 3;  // a MutexType
inline constexpr std::uint8_t robust = 4;
inline constexpr std::uint8_t prefer_writers = 8;
inline constexpr std::uint8_t corrected = 16;  // a descriptor_open that adds to the amounts known: to limit, to count
inline constexpr std::uint8_t external = 32;    // a descriptor_open: from now on others than this process use it too
inline constexpr std::uint8_t atomic = 32;     // of memory: whatever the instruction, the source says atomic
inline constexpr std::uint8_t whole = 64;      // a descriptor_write of all or nothing
inline constexpr std::uint8_t frees = 64;       // of memory: its block is given back, whatever it held
inline constexpr std::uint8_t width_mask = 3;  // of memory: 8 bytes, or 1, 2, 4; there `corrected` says: it is as told
}  // namespace attribute

using Flags = std::uint16_t;
namespace flag {
inline constexpr Flags timed = 1;          // may lapse: `timeout` holds
inline constexpr Flags cancellable = 2;    // a cancellation point of a thread that can be cancelled
inline constexpr Flags absolute = 4;       // `timeout` is a point in virtual time, not a length
inline constexpr Flags external = 8;       // values live in the target's memory: the machine does not know them
inline constexpr Flags nonblocking = 16;   // a descriptor operation that fails rather than waits
inline constexpr Flags has_initial_value = 32; // of memory: `timeout` holds its value before it was first used
inline constexpr Flags spins = 256;        // of memory: it takes effect only with a value that is not in `spin_values`
}  // namespace flag

constexpr std::uint8_t width_attribute(std::uint64_t bytes) {
    return bytes == 8 ? 0 : bytes == 4 ? 3 : static_cast<std::uint8_t>(bytes);
}
constexpr std::uint32_t width_of(std::uint8_t attributes) {
    const std::uint32_t width = attributes & attribute::width_mask;
    return width == 0 ? 8 : width == 3 ? 4 : width;
}

// The values from … to; none by default.
struct ValueRange {
    std::uint64_t from = 1;
    std::uint64_t to = 0;

    constexpr bool has(std::uint64_t value) const { return from <= value && value <= to; }
    friend bool operator==(const ValueRange&, const ValueRange&) = default;
};

// The argument of a thread_create whose thread is detached from the start.
inline constexpr std::int64_t create_detached = 2;

enum class Update : std::uint8_t { add, exchange, bit_and, bit_or, bit_xor };

struct Action {
    Operation operation = Operation::thread_start;
    Flags flags = 0;              // of namespace flag
    std::uint8_t attributes = 0;  // of namespace attribute
    Update update = Update::add;  // memory_update only
    ObjectId object{};
    ObjectId second{};            // cond_wait: the mutex; of descriptors: their table (descriptor_wait: its own object)
    std::int64_t argument = 0;    // value written or expected, initial count, number of alternatives, exit status, …
    std::int64_t argument2 = 0;   // compare-exchange: the value to write
    std::uint64_t timeout = 0;    // nanoseconds of virtual time
    std::uint64_t site = 0;       // canonical call site
    ValueRange spin_values[2]{};       // flag::spins: with these its thread would only come back to it, having changed nothing

    friend bool operator==(const Action&, const Action&) = default;
};

constexpr bool is_freeing(const Action& action) {
    return action.operation == Operation::memory_write && (action.attributes & attribute::frees) != 0;
}

constexpr bool keeps_spinning(const Action& action, std::uint64_t value) {
    return action.spin_values[0].has(value) || action.spin_values[1].has(value);
}
// One more value; false if there is no room for it.
constexpr bool add_spin_value(ValueRange (&spin_values)[2], std::uint64_t value) {
    for (ValueRange& range : spin_values) {
        if (range.has(value)) return true;
        if (range.from > range.to) {
            range = {value, value};
            return true;
        }
        if (value != 0 && range.to == value - 1) {
            range.to = value;
            return true;
        }
        if (value + 1 != 0 && range.from == value + 1) {
            range.from = value;
            return true;
        }
    }
    return false;
}

// How an action ended. Stored on disk: never renumber.
enum class Effect : std::uint8_t {
    done = 0,
    failed = 1,     // it was tried and refused; nothing changed
    timed_out = 2,     // its time ran out
    cancelled = 3,  // the thread acts on its cancellation
};

#define RADDLE_MISUSES(row)                                                                      \
    row(none, "no misuse")                                                                       \
    row(unlock_not_owner, "unlocks a lock that another thread holds")                            \
    row(unlock_unlocked, "unlocks a lock that nobody holds")                                     \
    row(destroy_locked, "destroys a lock that is held")                                          \
    row(destroy_waited, "destroys an object that threads wait on")                               \
    row(use_after_destroy, "uses an object that was destroyed")                                  \
    row(use_uninitialised, "uses an object that was never initialised")                          \
    row(init_in_use, "initialises an object that is in use")                                     \
    row(wait_unheld_mutex, "waits on a condition with a mutex that it does not hold")            \
    row(wait_other_mutex, "waits on a condition with another mutex than the threads that wait")  \
    row(semaphore_overflow, "posts a semaphore beyond its largest value")                        \
    row(semaphore_negative, "gives a semaphore a value that it cannot have")                     \
    row(barrier_bad_count, "initialises a barrier for no thread")                                \
    row(join_twice, "joins a thread that was joined already")                                    \
    row(join_detached, "joins a detached thread")                                                \
    row(join_self, "joins itself")                                                               \
    row(detach_twice, "detaches a thread that was detached or joined already")                   \
    row(consistent_unneeded, "marks a mutex consistent that is not inconsistent")                \
    row(freed_memory, "uses memory that was freed")                                              \
    row(relock_held, "takes a reader-writer lock that it holds for writing")                     \
    row(cancel_ended, "cancels a thread that is gone")

// Stored on disk by name.
enum class Misuse : std::uint8_t {
#define RADDLE_ROW(name, text) name,
    RADDLE_MISUSES(RADDLE_ROW)
#undef RADDLE_ROW
};

// An event named by its thread and its number there, starting at 1; number 0 names none.
struct EventName {
    ThreadSlot thread = no_slot;
    std::uint32_t number = 0;
};

// Neither has bytes that no member names: they lie in the shim's frames on the target's stacks, where the compiler would
// leave in them what was there before, and that may differ between processes that are to be compared.
struct ObjectUse {
    ObjectSlot object = no_slot;
    Mode mode = Mode::none;
    std::uint8_t unused[3]{};
};

struct ActionOutcome {
    Effect effect = Effect::done;
    Misuse misuse = Misuse::none;
    bool continues = false;        // the thread has a further part of the same call to do; its code does not run yet
    bool ends_thread = false;
    bool cancels = false;          // the thread's code is to unwind now
    std::uint8_t use_count = 0;
    std::uint8_t unused[2]{};
    std::int64_t result = 0;       // what the call returns: an error number, or the value read
    ObjectUse uses[4]{};
    EventName enabler{};           // the event that let this one happen, where no shared object says so
};
static_assert(std::has_unique_object_representations_v<ObjectUse> && std::has_unique_object_representations_v<ActionOutcome>);

struct OperationTraits {
    Kind kind;
    bool on_object, on_self;
    Mode done[2];    // in the plain relation, and in the fine one
    Mode failed[2];
    Mode second;
    const char* name;
    const char* reason;
};

constexpr OperationTraits traits_of(Operation operation) {
    enum class Place { none, self, object };
    constexpr auto none = Mode::none;
    constexpr auto shared = Mode::shared;
    constexpr auto exclusive = Mode::exclusive;
    (void)none, (void)shared, (void)exclusive;
    switch (operation) {
#define RADDLE_OPERATION(name, kind, place, done, failed, done_fine, failed_fine, second, reason)               \
    case Operation::name:                                                                                         \
        return {Kind::kind, Place::place == Place::object, Place::place == Place::self, {done, done_fine},      \
                {failed, failed_fine}, second, #name, reason};
#include "supervisor/model/operation.def"
#undef RADDLE_OPERATION
        case Operation::count_: break;
    }
    return {Kind::none, false, false, {none, none}, {none, none}, none, "?", ""};
}

struct OperationTable {
    OperationTraits row[operation_count];
    constexpr OperationTable() : row{} {
        for (std::size_t i = 0; i < operation_count; ++i) row[i] = traits_of(static_cast<Operation>(i));
    }
};
inline constexpr OperationTable operation_table{};
constexpr const OperationTraits& traits(Operation operation) {
    return operation_table.row[static_cast<std::size_t>(operation)];
}
constexpr const char* name_of(Operation operation) { return traits(operation).name; }

constexpr const char* name_of(Independence independence) {
    switch (independence) {
        case Independence::plain: return "plain";
        case Independence::fine: return "fine";
        case Independence::values: return "values";
    }
    return "?";
}

constexpr const char* name_of(Misuse misuse) {
    switch (misuse) {
#define RADDLE_ROW(name, text) case Misuse::name: return #name;
        RADDLE_MISUSES(RADDLE_ROW)
#undef RADDLE_ROW
    }
    return "?";
}
constexpr const char* text_of(Misuse misuse) {
    switch (misuse) {
#define RADDLE_ROW(name, text) case Misuse::name: return text;
        RADDLE_MISUSES(RADDLE_ROW)
#undef RADDLE_ROW
    }
    return "?";
}

}  // namespace raddle
