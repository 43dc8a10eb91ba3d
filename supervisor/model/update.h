// The arithmetic of atomic updates.
#pragma once

#include "supervisor/model/action.h"

namespace raddle {

constexpr std::uint64_t mask_of_bytes(std::uint64_t bytes) {
    return bytes >= 8 ? ~std::uint64_t{0} : (std::uint64_t{1} << bytes * 8) - 1;
}

// The value of a variable that held `a`, after an update with the operand `b`.
constexpr std::uint64_t updated(Update update, std::uint64_t a, std::uint64_t b) {
    switch (update) {
        case Update::add: return a + b;
        case Update::exchange: return b;
        case Update::bit_and: return a & b;
        case Update::bit_or: return a | b;
        case Update::bit_xor: return a ^ b;
    }
    return a;
}

}  // namespace raddle
