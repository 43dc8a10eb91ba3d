// The interface between the shim and the library preload/tsan, which gets the calls that gcc and clang insert before
// each access with -fsanitize=thread. Each function returns when the access may be done: until the thread's next action
// no other thread runs. The functions are weak: without the shim they are null.
#pragma once

#include <cstdint>

#include "supervisor/protocol/access_mode.h"

namespace raddle::memory {

enum class Called : std::uint8_t {
    write,  // a plain write of a known value
    load,
    store,
    exchange,
    add,
    subtract,
    bit_and,
    bit_or,
    bit_xor,
    bit_nand,
    compare_exchange,
};

// The caller's registers that calls preserve, as RADDLE_REPORTS pushes them. The caller's own stack follows in memory.
struct Caller {
    std::uint64_t r15, r14, r13, r12, rbx, rbp;
    std::uint64_t call;  // return address of the call; it stands for the instruction
};

// An access that the program reports.
struct ReportedAccess {
    Called what;
    std::uint64_t address, bytes, operand;
    std::uint64_t expected = 0;
    const void* expected_at = nullptr;  // the address to which a failed compare-exchange writes the value found
};

}  // namespace raddle::memory

extern "C" {
// `mode`: of access_mode.h. `caller`: null if only `call` is known.
__attribute__((weak)) void raddle_memory_plain(std::uint64_t address, std::uint64_t bytes, std::uint8_t mode,
                                               std::uint64_t call, const raddle::memory::Caller* caller);
__attribute__((weak)) void raddle_memory_called(const raddle::memory::ReportedAccess& access,
                                                const raddle::memory::Caller& caller);
}
