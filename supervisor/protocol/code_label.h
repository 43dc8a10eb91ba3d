// Labels of watched code. While a thread runs from one of its actions to the next, the shim notes the watched places
// that the thread passes for the first time: instructions, calls, and calls that free a block. The sequence of places
// has a number, its label, which goes with the next action. When a place becomes visible, the supervisor thus knows
// which actions came after it.
#pragma once

#include "supervisor/model/types.h"

namespace raddle::code_label {

inline constexpr std::uint64_t nothing = 0;          // no watched place was passed
inline constexpr std::uint64_t anything = ~nothing;  // the places are not known

inline constexpr std::uint64_t not_an_instruction = std::uint64_t{1} << 63;

// The names of places. Instructions go by their number in the description; calls by Action::site.
constexpr std::uint64_t place_of_instruction(std::uint32_t number) { return number; }
constexpr std::uint64_t place_of_call(std::uint64_t site) { return mix64(site + 1) | not_an_instruction; }
constexpr std::uint64_t place_of_free(std::uint64_t site, std::uint64_t bytes) {
    return mix64(mix64(site + 2) + bytes) | not_an_instruction;
}

// The label of a sequence that goes on with this place.
constexpr std::uint64_t extended(std::uint64_t label, std::uint64_t place) {
    const std::uint64_t longer = mix64(label * 0x9e3779b97f4a7c15ULL + place + 1);
    return longer == nothing || longer == anything ? 1 : longer;
}

}  // namespace raddle::code_label
