// Finds instructions with different results each time: clocks and random numbers of the processor.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "supervisor/binary/decode/elf_code.h"

namespace raddle::code {

struct NondeterministicInstruction {
    std::uint64_t address = 0;
    std::string mnemonic;
};

// In functions that decode up to that instruction, in order.
std::vector<NondeterministicInstruction> nondeterministic_instructions(const ElfCode& elf);

}  // namespace raddle::code
