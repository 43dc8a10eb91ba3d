// The names of threads (ThreadId) and objects (ObjectId). They are the same in every execution of a program, and every
// layer uses them. Freestanding: compiled into the shim and into the supervisor.
#pragma once

#include <cstddef>
#include <cstdint>

namespace raddle {

// The name of a thread is the path of its creation: main is the empty path, its third child is "3", the first child of
// that one is "3.1". The code has child numbers in base 8, one digit in a nibble; the top bit of a nibble says that
// more digits follow. A child number never starts with a 0, so a path has one code. A path that is too long for 52 bits
// is hashed and marked: the name is still the same in every execution, but less readable.
struct ThreadId {
    std::uint64_t code = 0;  // Stored on disk: never change the encoding.

    friend constexpr bool operator==(ThreadId, ThreadId) = default;
    friend constexpr bool operator<(ThreadId a, ThreadId b) { return a.code < b.code; }
};

inline constexpr ThreadId main_thread{0};
inline constexpr std::uint64_t hashed_thread_mark = std::uint64_t{1} << 55;
inline constexpr int thread_code_bits = 52;

constexpr std::uint64_t mix64(std::uint64_t x) {
    x ^= x >> 30;
    x *= 0xbf58476d1ce4e5b9ULL;
    x ^= x >> 27;
    x *= 0x94d049bb133111ebULL;
    return x ^ (x >> 31);
}

constexpr ThreadId child_of(ThreadId parent, std::uint32_t number) {
    int digits = 1;
    for (std::uint32_t rest = number >> 3; rest != 0; rest >>= 3) ++digits;
    const bool fits = (parent.code >> (thread_code_bits - 4 * digits)) == 0 && 4 * digits <= thread_code_bits;
    if (!fits) return {(mix64(parent.code * 0x9e3779b97f4a7c15ULL + number) >> 9) | hashed_thread_mark};
    std::uint64_t code = parent.code;
    for (int digit = digits - 1; digit >= 0; --digit)
        code = code << 4 | ((number >> (3 * digit)) & 7u) | (digit > 0 ? 8u : 0u);
    return {code};
}

// The spaces of object names. Stored on disk: never renumber.
enum class Space : std::uint8_t {
    process = 0,      // the process as a whole (its end)
    thread = 1,       // a thread as something to join or detach; owner is the thread
    cancel = 2,       // a thread as something to cancel
    module = 3,       // static data: owner is the module's number in load order, offset from its base
    heap = 4,         // owner is the allocating thread, offset within its arena
    stack = 5,        // owner is the thread, offset from the top of its stack
    descriptor = 6,   // offset is the descriptor's number
    descriptors = 7,  // the table that descriptor numbers come from
    named = 8,        // named semaphores and the like: offset is a hash of the name
    program = 9,      // objects of programs in memory: offset is their number
    hold = 10,        // the machine's own record of a lock that a thread holds
    tool = 11,        // objects of the shim itself (stream locks, signal queues, …)
};

struct ObjectId {
    std::uint64_t region = 0;  // space in the top byte, owner (thread code, module, …) below
    std::uint64_t offset = 0;

    friend constexpr bool operator==(const ObjectId&, const ObjectId&) = default;
    friend constexpr bool operator<(const ObjectId& a, const ObjectId& b) {
        return a.region != b.region ? a.region < b.region : a.offset < b.offset;
    }

    constexpr Space space() const { return static_cast<Space>(region >> 56); }
    constexpr std::uint64_t owner() const { return region & ((std::uint64_t{1} << 56) - 1); }
};

constexpr ObjectId object_in(Space space, std::uint64_t owner, std::uint64_t offset) {
    return {static_cast<std::uint64_t>(space) << 56 | (owner & ((std::uint64_t{1} << 56) - 1)), offset};
}
constexpr ObjectId process_object() { return object_in(Space::process, 0, 0); }
constexpr ObjectId thread_object(ThreadId thread) { return object_in(Space::thread, thread.code, 0); }
constexpr ObjectId cancel_object(ThreadId thread) { return object_in(Space::cancel, thread.code, 0); }
constexpr ThreadId thread_of(const ObjectId& object) { return {object.owner()}; }

constexpr std::uint64_t hash_of(const ObjectId& object) {
    return mix64(object.region * 0x9e3779b97f4a7c15ULL ^ mix64(object.offset + 0x632be59bd9b4e019ULL));
}

// Positions in a machine's tables: small, stable for the machine's life, meaningless outside it.
using ThreadSlot = std::uint32_t;
using ObjectSlot = std::uint32_t;
inline constexpr std::uint32_t no_slot = 0xffffffffu;

}  // namespace raddle
