// Actions: what a thread is about to do.
#pragma once

#include "supervisor/model/operation.h"

namespace raddle {

enum class MutexType : std::uint8_t { normal, recursive, errorcheck };

// Attributes of objects and actions, by kind. Those of objects go with every action on them, because a statically
// initialised object has no init.
namespace attribute {
namespace mutex {
inline constexpr std::uint8_t type_mask = 3;  // a MutexType
inline constexpr std::uint8_t robust = 4;
}  // namespace mutex
namespace rwlock {
inline constexpr std::uint8_t prefer_writers = 8;
}
namespace cancel {  // of a thread_cancel
inline constexpr std::uint8_t signal = 1;
}
namespace descriptor {
inline constexpr std::uint8_t adjusts = 16;   // descriptor_open: adds to the amounts of an open descriptor
inline constexpr std::uint8_t external = 32;  // descriptor_open: from now on other processes use it too
inline constexpr std::uint8_t whole = 64;     // descriptor_write: all or nothing; descriptor_open: adds capacity
}  // namespace descriptor
namespace memory {
inline constexpr std::uint8_t width_mask = 3;       // 0: 8 bytes, 1, 2, 3: 4 bytes
inline constexpr std::uint8_t replaces_value = 16;  // the initial value replaces the one that the machine knows
inline constexpr std::uint8_t atomic = 32;          // the source says atomic, whatever the instruction
inline constexpr std::uint8_t frees = 64;           // memory_write: frees the memory
}  // namespace memory
}  // namespace attribute

using Flags = std::uint16_t;
namespace flag {
inline constexpr Flags timed = 1;               // the wait has a time limit
inline constexpr Flags cancellable = 2;         // a cancellation point of a thread that can be cancelled
inline constexpr Flags absolute = 4;            // the time limit is a point in virtual time, not a length
inline constexpr Flags contents_unknown = 8;    // memory, descriptors: the machine does not know what they hold
inline constexpr Flags nonblocking = 16;        // descriptors: fails instead of waiting
inline constexpr Flags has_initial_value = 32;  // memory: the action tells the value from before the first access
inline constexpr Flags interruptible = 64;      // a signal can end the wait (interruption.h)
inline constexpr Flags uncancellable = 128;     // `cancellable` only means that a signal can end the wait
inline constexpr Flags inside = 512;            // the thread is inside the focus (MachineOptions::has_focus)
inline constexpr Flags spins = 256;             // memory: takes effect only with a value outside `spin_values`
}  // namespace flag

constexpr std::uint8_t width_attribute(std::uint64_t bytes) {
    return bytes == 8 ? 0 : bytes == 4 ? 3 : static_cast<std::uint8_t>(bytes);
}
constexpr std::uint32_t width_of(std::uint8_t attributes) {
    const std::uint32_t width = attributes & attribute::memory::width_mask;
    return width == 0 ? 8 : width == 3 ? 4 : width;
}

// The values from … to; none by default.
struct ValueRange {
    std::uint64_t from = 1;
    std::uint64_t to = 0;

    constexpr bool has(std::uint64_t value) const { return from <= value && value <= to; }
    friend bool operator==(const ValueRange&, const ValueRange&) = default;
};

enum class Update : std::uint8_t { add, exchange, bit_and, bit_or, bit_xor };

// The accessors of an action's argument:
//   row(accessor, word, argument)   word: where it is kept; argument: valid for operations with this one in
//   operation.def
#define RADDLE_ARGUMENTS(row)                                                                      \
    row(detached, 0, detached) /* thread_detached or 0 */                                          \
        row(thread_result, 0, thread_result) row(exit_status, 0, exit_status)                      \
            row(wait_result, 0, wait_result) /* of the wait before */                              \
        row(initial_count, 0, initial_count)                                                       \
            row(abandoned, 0, abandoned) /* 1: an exception left the initialisation */             \
        row(value, 0, memory_value)      /* written, or the operand of an update */                \
        row(expected, 0, memory_exchange) row(desired, 1, memory_exchange)                         \
            row(awaited_reads, 0, awaited_reads)          /* how many of the last reads */         \
        row(choices, 0, choices) row(writable, 0, buffer) /* bytes, as of here */                  \
        row(readable, 1, buffer) row(amount, 0, amount)   /* at most; negative: no limit */        \
        row(version, 0, version)                          /* the one seen last; negative: none */  \
        row(wait_bits, 1, futex_wait) row(most_woken, 0, futex_wake) row(wake_bits, 1, futex_wake) \
            row(requeue_woken, 0, futex_requeue) /* at most */                                     \
        row(requeue_moved, 1, futex_requeue)     /* at most */                                     \
        row(signal, 0, signal_number)

inline constexpr std::int64_t thread_detached = 2;

// The accessors check that the operation has such an argument, but for the shim, which uses them at every access.
#if defined(RADDLE_TRUST_ARGUMENTS)
inline constexpr bool checks_arguments = false;
#else
inline constexpr bool checks_arguments = true;
#endif

struct Action {
    Operation operation = Operation::thread_start;
    Flags flags = 0;              // of namespace flag
    std::uint8_t attributes = 0;  // of namespace attribute
    Update update = Update::add;  // memory_update only
    ObjectId object{};
    ObjectId second{};
    std::int64_t words[2]{};  // the argument; only code that stores, hashes or prints any action reads it here
    std::uint64_t limit_or_initial = 0;  // the time limit, or the initial value of memory; the same holds
    std::uint64_t site = 0;              // canonical call site
    ValueRange spin_values[2]{};         // flag::spins: with these values the thread would spin

    friend bool operator==(const Action&, const Action&) = default;

#define RADDLE_ROW(accessor, word, argument)         \
    constexpr std::int64_t accessor() const {        \
        check(Argument::argument);                   \
        return words[word];                          \
    }                                                \
    constexpr void set_##accessor(std::int64_t to) { \
        check(Argument::argument);                   \
        words[word] = to;                            \
    }
    RADDLE_ARGUMENTS(RADDLE_ROW)
#undef RADDLE_ROW

    // The time limit in nanoseconds of virtual time. Accesses to memory have none.
    constexpr std::uint64_t timeout() const {
        check(!has_memory());
        return limit_or_initial;
    }
    constexpr void set_timeout(std::uint64_t nanoseconds) {
        check(!has_memory());
        limit_or_initial = nanoseconds;
    }
    // The value of memory before the first access that the machine saw; 0 if it was not told.
    constexpr std::uint64_t initial_value() const {
        check(has_memory());
        return (flags & flag::has_initial_value) != 0 ? limit_or_initial : 0;
    }
    constexpr void set_initial_value(std::uint64_t value) {
        check(has_memory());
        flags |= flag::has_initial_value;
        limit_or_initial = value;
    }
    // The bytes of the variable that an access touches (extent.h), packed: for memory with unknown contents.
    constexpr std::int64_t packed_extent() const {
        check(has_memory());
        return words[1];
    }
    constexpr void set_packed_extent(std::int64_t extent) {
        check(has_memory());
        flags |= flag::contents_unknown;
        words[1] = extent;
    }

private:
    constexpr bool has_memory() const { return traits(operation).access != MemoryAccess::no_access; }
    static constexpr void check(bool is_valid) {
        if (checks_arguments && !is_valid) __builtin_trap();
    }
    constexpr void check(Argument wanted) const { check(traits(operation).argument == wanted); }
};

constexpr bool is_freeing(const Action& action) {
    return action.operation == Operation::memory_write && (action.attributes & attribute::memory::frees) != 0;
}
// A call that reads a word of memory, which is its second object.
constexpr bool reads_second(const Action& action) { return traits(action.operation).second_kind == Kind::memory; }
// The source says atomic, or the instruction is.
constexpr bool is_atomic(const Action& action) {
    const MemoryAccess access = traits(action.operation).access;
    const bool is_declared = (action.attributes & attribute::memory::atomic) != 0;
    return access == MemoryAccess::updates || (access != MemoryAccess::no_access && is_declared);
}

// The action may run out of time, if it cannot take effect before.
constexpr bool can_time_out(const Action& action) {
    const OperationTraits& what = traits(action.operation);
    return what.ways == Ways::never || ((action.flags & flag::timed) != 0 && !what.untimed);
}

// Not only what it waits for can end the wait: a time limit, a cancellation, a signal.
constexpr bool can_be_left(const Action& action) {
    return can_time_out(action) || (action.flags & flag::cancellable) != 0;
}

// The thread would read this value again and again.
constexpr bool keeps_spinning(const Action& action, std::uint64_t value) {
    return action.spin_values[0].has(value) || action.spin_values[1].has(value);
}
// Adds a value; false if there is no room for it.
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

}  // namespace raddle
