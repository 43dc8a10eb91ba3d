// The arguments of printf and scanf that point to memory, as their format tells. Pure: the text comes from the program,
// so nothing is assumed about it but its terminating zero.
#pragma once

#include <cstdarg>
#include <cstdint>

namespace raddle::memory::formats {

inline constexpr std::uint32_t most_arguments = 32;  // further ones are not seen
inline constexpr std::uint64_t no_limit = ~std::uint64_t{0};

enum class Target : std::uint8_t {
    bytes,       // a variable of `limit` bytes
    text,        // a text with its zero; `limit`: at most so many characters are read; of scanf: and the zero
    wide_text,   // the same with wchar_t
    characters,  // exactly `limit` bytes
};

// Memory that one conversion reads or writes.
struct Use {
    std::uint64_t address;
    std::uint64_t limit;
    Target target;
    bool is_written;
    bool counts;               // scanf counts it in its result
    std::uint8_t assignments;  // so many counted ones come before it
};

struct Uses {
    std::uint32_t count = 0;
    bool is_complete = true;  // all arguments were understood
    Use row[most_arguments];
};

template <typename Character>
void find_printed(const Character* format, va_list list, Uses& uses);
template <typename Character>
void find_scanned(const Character* format, va_list list, Uses& uses);

}  // namespace raddle::memory::formats
