// What a compiler's options added to a program: the code of a sanitizer's runtime that is linked into it, and the
// counters of coverage and profiles. It is not the program's: threads share it as they share libc.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "supervisor/base/elf.h"

namespace raddle::code {

struct RuntimeParts {
    struct Range {
        std::uint64_t begin = 0, end = 0;
        bool contains(std::uint64_t address) const { return address >= begin && address < end; }
    };
    std::vector<Range> code, counters;
    // Compiled with -fsanitize=address: before an access the program reads the state of the memory.
    bool reads_shadow = false;

    bool has_code(std::uint64_t address) const;
};

RuntimeParts runtime_parts(const ElfFile& elf);

// AddressSanitizer's shadow memory begins here; compilers add it to an address divided by eight.
inline constexpr std::int64_t shadow_offset = 0x7fff8000;
// One instruction reads or writes the states of so many bytes at most, so the number added may be a little greater.
inline constexpr std::int64_t longest_shadow_access = 4096;

}  // namespace raddle::code
