// Objects of the shim itself, in Space::tool; the offset says which. All but `output` are queues that work like
// futexes. They are part of recorded schedules: never renumber.
#pragma once

#include <cstdint>

namespace raddle::tool {

inline constexpr std::uint64_t signals_of_thread = 0x100;  // the owner is the thread
inline constexpr std::uint64_t signals_of_process = 0x200;
inline constexpr std::uint64_t dispositions = 0x210;    // the handlers of the process
inline constexpr std::uint64_t timer = 0x300;           // the owner is its number
inline constexpr std::uint64_t interval_timer = 0x310;  // the same
inline constexpr std::uint64_t timer_numbers = 0x320;   // which of them are in use
inline constexpr std::uint64_t output = 0x400;          // the owner: 1 standard output, 2 standard error, 3 files

}  // namespace raddle::tool

// States of the system that only the shim knows, in Space::named; the owner says which, the offset is a number. They
// are part of recorded schedules, too.
namespace raddle::state {

inline constexpr std::uint64_t semaphores = 1;    // System V: the offset is the id
inline constexpr std::uint64_t messages = 2;      // the same
inline constexpr std::uint64_t numbers = 3;       // which ids and keys are in use
inline constexpr std::uint64_t asynchronous = 4;  // aio

}  // namespace raddle::state
