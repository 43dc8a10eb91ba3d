// Instructions that ask the processor for something that is another each time: its clock, random numbers.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "supervisor/binary/decode/elf_code.h"

namespace raddle::code {

struct Unruled {
    std::uint64_t address = 0;
    std::string mnemonic;
};

// In functions that decode up to there, in order.
std::vector<Unruled> unruled_in(const ElfCode& elf);

}  // namespace raddle::code
