// Reading memory that the target may change at any time.
#pragma once

#include <cstring>

namespace raddle {

// Copies changing memory exactly once; the compiler must not read it again.
template <typename Value>
Value once(const Value& shared) {
    Value copy;
    std::memcpy(&copy, const_cast<const Value*>(static_cast<const volatile Value*>(&shared)), sizeof copy);
    __asm__ volatile("" ::: "memory");
    return copy;
}

}  // namespace raddle
