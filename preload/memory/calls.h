// Between the shim and the calls that gcc and clang put before each access to memory with -fsanitize=thread, which
// tsan/ answers. Each comes back when the access may be done: until the thread's next action nobody else runs.
// Missing where raddle's shim is not loaded.
#pragma once

#include <cstdint>

namespace raddle::memory {

enum class Called : std::uint8_t {
    write,                          // plain, of a value that is known
    load, store, exchange, add, subtract, bit_and, bit_or, bit_xor, bit_nand, compare_exchange,
};

}  // namespace raddle::memory

extern "C" {
// `mode`: reads or writes of patches.h. `call`: where the call returns to; it stands for the instruction.
__attribute__((weak)) void raddle_memory_plain(std::uint64_t address, std::uint64_t bytes, std::uint8_t mode, std::uint64_t call);
__attribute__((weak)) void raddle_memory_called(raddle::memory::Called what, std::uint64_t address, std::uint64_t bytes,
                                                std::uint64_t operand, std::uint64_t expected, std::uint64_t call);
}
