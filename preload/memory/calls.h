// Between the shim and the calls that gcc and clang put before each access to memory with -fsanitize=thread, which
// tsan/ answers. Each comes back when the access may be done: until the thread's next action nobody else runs.
// Missing where raddle's shim is not loaded.
#pragma once

#include <cstdint>

#include "supervisor/protocol/access_mode.h"

namespace raddle::memory {

enum class Called : std::uint8_t {
    write,                          // plain, of a value that is known
    load, store, exchange, add, subtract, bit_and, bit_or, bit_xor, bit_nand, compare_exchange,
};

// Of who calls, as the called function finds it on the stack: registers that it gives back as they were. What follows in
// memory is the caller's own.
struct Caller {
    std::uint64_t r15, r14, r13, r12, rbx, rbp;
    std::uint64_t call;             // where the call returns to; it stands for the instruction
};

struct ReportedAccess {
    Called what;
    std::uint64_t address, bytes, operand;
    std::uint64_t expected = 0;
    const void* expected_at = nullptr;  // where what was found is written to
};

}  // namespace raddle::memory

extern "C" {
// `mode`: reads or writes of patches.h. `caller`: null if nothing is known but `call`.
__attribute__((weak)) void raddle_memory_plain(std::uint64_t address, std::uint64_t bytes, std::uint8_t mode, std::uint64_t call,
                                               const raddle::memory::Caller* caller);
__attribute__((weak)) void raddle_memory_called(const raddle::memory::ReportedAccess& access, const raddle::memory::Caller& caller);
}
