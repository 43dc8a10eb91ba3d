// Builds a text without a heap. A text that is too long for its buffer is cut off.
#pragma once

#include <cstddef>

namespace raddle {

// For tables that are searched while the shim is compiled.
constexpr bool is_same_text(const char* a, const char* b) {
    while (*a != 0 && *a == *b) ++a, ++b;
    return *a == *b;
}

constexpr bool ends_with(const char* text, const char* end) {
    std::size_t length = 0, wanted = 0;
    while (text[length] != 0) ++length;
    while (end[wanted] != 0) ++wanted;
    return length >= wanted && is_same_text(text + length - wanted, end);
}

template <std::size_t room>
struct Text {
    char bytes[room] = {};
    std::size_t length = 0;

    Text& add(const char* more) {
        while (*more != 0 && length + 1 < room) bytes[length++] = *more++;
        bytes[length] = 0;
        return *this;
    }
    Text& add(unsigned long number) {
        char digits[24];
        std::size_t at = sizeof digits;
        digits[--at] = 0;
        do digits[--at] = static_cast<char>('0' + number % 10);
        while ((number /= 10) != 0);
        return add(digits + at);
    }
};

}  // namespace raddle
