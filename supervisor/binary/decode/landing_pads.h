// Landing pads: the places where a function goes on after an exception, as .eh_frame and the tables of languages
// (.gcc_except_table) list them.
#pragma once

#include <cstdint>
#include <vector>

#include "supervisor/binary/decode/elf_code.h"

namespace raddle::code {

struct LandingPads {
    std::vector<std::uint64_t> pads;
    std::vector<std::uint64_t> unknown;  // functions whose table is in a format that is not read here
    bool are_found = false;              // false: nothing is known about any function
};

LandingPads landing_pads_of(const ElfCode& elf);

}  // namespace raddle::code
